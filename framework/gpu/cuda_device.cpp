// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "cuda.hpp"
#include "semblance/error.hpp"

namespace semblance::gpu {
namespace {

class CudaMemory final : public DeviceMemory {
 public:
  CudaMemory(const CudaDevice& device, std::size_t bytes)
      : device_(device), address_(device.allocate_bytes(bytes)) {}
  ~CudaMemory() override {
    device_.driver().set_context(device_.context());
    device_.driver().free(address_);
  }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  DeviceAddress address() const noexcept override { return address_; }

 private:
  const CudaDevice& device_;
  CUdeviceptr address_;
};

double gibibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

CudaDevice::CudaDevice() : driver_(CudaDriver::open()) {
  check(driver_.init(0), "start");
  int devices = 0;
  check(driver_.device_count(&devices), "be counted");
  if (devices == 0) throw Error("the NVIDIA driver shows no GPU; look at $CUDA_VISIBLE_DEVICES");
  check(driver_.device(&device_, 0), "be opened");
  std::array<char, 256> name = {};
  check(driver_.device_name(name.data(), static_cast<int>(name.size()), device_), "tell its name");
  name_ = name.data();
  int major = 0, minor = 0;
  check(driver_.device_attribute(&major, cuda_major, device_), "tell its kind");
  check(driver_.device_attribute(&minor, cuda_minor, device_), "tell its kind");
  if (major * 10 + minor < 75)
    throw Error(fmt::format("{} has compute capability {}.{}, and 7.5 (2018) or later is needed",
                            name_, major, minor));
  check(driver_.device_memory(&memory_, device_), "tell its memory");
  opened_ =
      std::async(std::launch::async, [this] { return driver_.retain_context(&context_, device_); });
}

CudaDevice::~CudaDevice() = default;

void CudaDevice::enter() const {
  std::call_once(entered_, [&] { check(opened_.get(), "be used by this process"); });
  check(driver_.set_context(context_), "be used by a thread");
}

void CudaDevice::check(CUresult result, const std::string& what) const {
  if (result == cuda_success) return;
  const char *name = nullptr, *text = nullptr;
  driver_.error_name(result, &name);
  driver_.error_text(result, &text);
  throw Error(fmt::format("{} cannot {}: {} ({}); --device cpu computes without it", name_, what,
                          text ? text : "unknown error", name ? name : "?"));
}

std::size_t CudaDevice::free_memory() const {
  enter();
  std::size_t free = 0, total = 0;
  check(driver_.memory_info(&free, &total), "tell its free memory");
  return free;
}

std::string CudaDevice::description() const {
  int major = 0, minor = 0, version = 0;
  check(driver_.device_attribute(&major, cuda_major, device_), "tell its kind");
  check(driver_.device_attribute(&minor, cuda_minor, device_), "tell its kind");
  check(driver_.version(&version), "tell its driver's version");
  return fmt::format(
      "{}, compute capability {}.{}, {:.1f} GiB of memory, {:.1f} GiB free, driver "
      "for CUDA {}.{}",
      name_, major, minor, gibibytes(memory_), gibibytes(free_memory()), version / 1000,
      version % 1000 / 10);
}

CUdeviceptr CudaDevice::allocate_bytes(std::size_t bytes) const {
  enter();
  CUdeviceptr address = 0;
  const CUresult result = driver_.allocate(&address, bytes);
  if (result == cuda_out_of_memory)
    throw MemoryError(fmt::format("{} has no {:.2f} GiB of memory left ({:.2f} GiB are free)",
                                  name_, gibibytes(memory_), gibibytes(free_memory())));
  check(result, "allocate memory");
  return address;
}

std::shared_ptr<DeviceMemory> CudaDevice::allocate(std::size_t bytes) {
  return std::make_shared<CudaMemory>(*this, bytes);
}

void CudaDevice::with_queue(const std::function<void(DeviceQueue&)>& body) {
  enter();
  std::unique_ptr<CudaQueue> queue;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      queue = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!queue) queue = std::make_unique<CudaQueue>(*this);
  try {
    body(*queue);
  } catch (...) {
    queue->settle();
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(queue));
    throw;
  }
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(queue));
}

CUmodule CudaDevice::module(const DeviceProgram& program) {
  const auto known = modules_.find(&program);
  if (known != modules_.end()) return known->second;
  if (!program.ptx)
    throw Error("a plugin was built without a compiler for GPUs; build it with clang or nvcc");
  std::array<char, 4096> log = {};
  std::array<int, 2> options = {cuda_jit_error_log, cuda_jit_error_log_bytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  CUmodule made = nullptr;
  const CUresult result = driver_.load_module(
      &made, program.ptx, static_cast<unsigned>(options.size()), options.data(), values.data());
  check(result, std::string("load a program: ") + log.data());
  modules_.emplace(&program, made);
  return made;
}

CUfunction CudaDevice::function(const DeviceProgram& program, const char* kernel) {
  const std::lock_guard lock(mutex_);
  auto& function = functions_[{&program, kernel}];
  if (!function)
    check(driver_.get_function(&function, module(program), kernel),
          std::string("find the kernel ") + kernel);
  return function;
}

}  // namespace semblance::gpu

/// The door: the GPU, or null with the reason in `problem`.
extern "C" __attribute__((visibility("default"))) semblance::Device* semblance_gpu_device(
    const char** problem) {
  static std::string failure;
  try {
    if (!SEMBLANCE_DEVICE_COMPILER)
      throw semblance::Error(
          "this program was built without a compiler for GPUs: apt-get install clang, and build "
          "it again");
    // Never destroyed: the driver may be gone when the process ends.
    static auto* const device = new semblance::gpu::CudaDevice;
    return device;
  } catch (const std::exception& error) {
    failure = error.what();
    *problem = failure.c_str();
    return nullptr;
  }
}

/// What `doctor` says of it; only after semblance_gpu_device().
extern "C" __attribute__((visibility("default"))) const char* semblance_gpu_description(
    const semblance::Device* device) {
  static std::string text;
  text = static_cast<const semblance::gpu::CudaDevice*>(device)->description();
  return text.c_str();
}
