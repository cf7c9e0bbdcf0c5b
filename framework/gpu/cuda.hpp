// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "semblance/device.hpp"

namespace semblance::gpu {

/// @name Types of the CUDA driver's interface (cuda.h), which is not needed to build
/// @{
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
enum CUresult : int { cuda_success = 0, cuda_out_of_memory = 2 };
enum : int { cuda_jit_error_log = 5, cuda_jit_error_log_bytes = 6 };
enum : int { cuda_major = 75, cuda_minor = 76 };
enum : unsigned { cuda_stream_non_blocking = 1, cuda_event_without_timing = 2 };
/// @}

/// The functions of libcuda.so.1, which comes with the driver. It is opened at run time.
struct CudaDriver {
  CUresult (*init)(unsigned flags);
  CUresult (*version)(int* version);
  CUresult (*error_name)(CUresult, const char**);
  CUresult (*error_text)(CUresult, const char**);
  CUresult (*device_count)(int*);
  CUresult (*device)(CUdevice*, int ordinal);
  CUresult (*device_name)(char*, int length, CUdevice);
  CUresult (*device_memory)(std::size_t*, CUdevice);
  CUresult (*device_attribute)(int*, int attribute, CUdevice);
  CUresult (*retain_context)(CUcontext*, CUdevice);
  CUresult (*set_context)(CUcontext);
  CUresult (*memory_info)(std::size_t* free, std::size_t* total);
  CUresult (*allocate)(CUdeviceptr*, std::size_t);
  CUresult (*free)(CUdeviceptr);
  CUresult (*allocate_pinned)(void**, std::size_t);
  CUresult (*free_pinned)(void*);
  CUresult (*to_device)(CUdeviceptr, const void*, std::size_t, CUstream);
  CUresult (*from_device)(void*, CUdeviceptr, std::size_t, CUstream);
  CUresult (*create_stream)(CUstream*, unsigned flags);
  CUresult (*destroy_stream)(CUstream);
  CUresult (*wait_for_stream)(CUstream);
  CUresult (*create_event)(CUevent*, unsigned flags);
  CUresult (*destroy_event)(CUevent);
  CUresult (*record_event)(CUevent, CUstream);
  CUresult (*wait_for_event)(CUevent);
  CUresult (*load_module)(CUmodule*, const void*, unsigned options, int*, void**);
  CUresult (*get_function)(CUfunction*, CUmodule, const char*);
  CUresult (*launch)(CUfunction, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                     unsigned bz, unsigned shared_bytes, CUstream, void** arguments, void** extra);

  /// Throws Error if the driver is not there or lacks a function.
  static CudaDriver open();
};

class CudaQueue;

/// The first NVIDIA GPU that the driver shows ($CUDA_VISIBLE_DEVICES chooses).
class CudaDevice final : public Device {
 public:
  /// Throws Error if there is none.
  CudaDevice();
  ~CudaDevice() override;

  const std::string& name() const noexcept override { return name_; }
  std::size_t memory() const noexcept override { return memory_; }
  std::size_t free_memory() const override;
  std::shared_ptr<DeviceMemory> allocate(std::size_t bytes) override;
  void with_queue(const std::function<void(DeviceQueue&)>& body) override;

  /// "NVIDIA H200, compute capability 9.0, 139.8 GiB, driver for CUDA 13.0".
  std::string description() const;

  const CudaDriver& driver() const noexcept { return driver_; }
  CUcontext context() const noexcept { return context_; }
  /// Makes the device that of this thread.
  void enter() const;
  /// Throws Error unless it succeeded: "the GPU (NVIDIA H200) cannot ...".
  void check(CUresult result, const std::string& what) const;
  CUfunction function(const DeviceProgram& program, const char* kernel);
  CUdeviceptr allocate_bytes(std::size_t bytes) const;

 private:
  CUmodule module(const DeviceProgram& program);

  CudaDriver driver_;
  CUdevice device_ = 0;
  mutable std::future<CUresult> opened_;  // the context, which takes tenths of a second to make
  mutable std::once_flag entered_;
  CUcontext context_ = nullptr;
  std::size_t memory_ = 0;
  std::string name_ = "the GPU";
  std::mutex mutex_;
  std::map<const DeviceProgram*, CUmodule> modules_;
  std::map<std::pair<const DeviceProgram*, std::string>, CUfunction> functions_;
  std::vector<std::unique_ptr<CudaQueue>> idle_;
};

/// A stream of the device. What it copies passes through two buffers of pinned memory, so that one
/// is filled or emptied while the other is on its way.
class CudaQueue final : public DeviceQueue {
 public:
  explicit CudaQueue(CudaDevice& device);
  ~CudaQueue() override;
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  DeviceAddress memory(std::size_t place, std::size_t bytes) override;
  void write(DeviceAddress to, std::size_t stride, MatrixView rows) override;
  void read(DeviceAddress from, std::size_t stride, MutableMatrixView rows) override;
  using DeviceQueue::start;
  void start(const DeviceProgram& program, const char* kernel, const DeviceGrid& grid,
             const void* argument, std::size_t bytes) override;

  void wait() override;

  /// Waits until all work is done, successful or not.
  void settle() noexcept;

 private:
  struct Buffer {
    void* pinned = nullptr;
    CUevent done = nullptr;
    bool used = false;
  };
  struct Kept {
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
  };

  float* free_buffer(std::size_t number);
  void wait_for(Buffer& buffer);

  CudaDevice& device_;
  CUstream stream_ = nullptr;
  std::array<Buffer, 2> buffers_;
  std::array<Kept, 8> kept_;
  std::size_t next_ = 0;
};

}  // namespace semblance::gpu
