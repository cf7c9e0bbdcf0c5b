// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda_driver.hpp"
#include "semblance/device.hpp"

namespace semblance::gpu {

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

}  // namespace semblance::gpu
