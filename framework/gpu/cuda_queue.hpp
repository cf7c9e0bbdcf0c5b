// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "cuda_device.hpp"

namespace semblance::gpu {

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
