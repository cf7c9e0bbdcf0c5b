// SPDX-License-Identifier: MIT
#include <dlfcn.h>

#include <string>

#include "cuda.hpp"
#include "semblance/error.hpp"

namespace semblance::gpu {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (!function)
    throw Error(std::string("the driver's libcuda.so.1 has no ") + name +
                "; install a newer driver");
}

}  // namespace

CudaDriver CudaDriver::open() {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(std::string("there is no NVIDIA driver: ") + ::dlerror() +
                "; install the driver of the GPU (no CUDA toolkit is needed)");
  CudaDriver driver{};
  find(library, "cuInit", driver.init);
  find(library, "cuDriverGetVersion", driver.version);
  find(library, "cuGetErrorName", driver.error_name);
  find(library, "cuGetErrorString", driver.error_text);
  find(library, "cuDeviceGetCount", driver.device_count);
  find(library, "cuDeviceGet", driver.device);
  find(library, "cuDeviceGetName", driver.device_name);
  find(library, "cuDeviceTotalMem_v2", driver.device_memory);
  find(library, "cuDeviceGetAttribute", driver.device_attribute);
  find(library, "cuDevicePrimaryCtxRetain", driver.retain_context);
  find(library, "cuCtxSetCurrent", driver.set_context);
  find(library, "cuMemGetInfo_v2", driver.memory_info);
  find(library, "cuMemAlloc_v2", driver.allocate);
  find(library, "cuMemFree_v2", driver.free);
  find(library, "cuMemAllocHost_v2", driver.allocate_pinned);
  find(library, "cuMemFreeHost", driver.free_pinned);
  find(library, "cuMemcpyHtoDAsync_v2", driver.to_device);
  find(library, "cuMemcpyDtoHAsync_v2", driver.from_device);
  find(library, "cuStreamCreate", driver.create_stream);
  find(library, "cuStreamDestroy_v2", driver.destroy_stream);
  find(library, "cuStreamSynchronize", driver.wait_for_stream);
  find(library, "cuEventCreate", driver.create_event);
  find(library, "cuEventDestroy_v2", driver.destroy_event);
  find(library, "cuEventRecord", driver.record_event);
  find(library, "cuEventSynchronize", driver.wait_for_event);
  find(library, "cuModuleLoadDataEx", driver.load_module);
  find(library, "cuModuleGetFunction", driver.get_function);
  find(library, "cuLaunchKernel", driver.launch);
  return driver;
}

}  // namespace semblance::gpu
