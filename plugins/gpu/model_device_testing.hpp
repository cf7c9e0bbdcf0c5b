// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "device_code.hpp"
#include "semblance/device.hpp"
#include "semblance/error.hpp"
#include "semblance/testing.hpp"

namespace semblance::gpu {

/// A device whose kernels are those of the .cu files, compiled for the CPU, and whose memory is
/// limited. For tests on machines without a GPU.
class ModelDevice final : public Device {
 public:
  explicit ModelDevice(std::size_t memory = std::size_t{4} << 30) : memory_(memory) {}

  /// Kernels by name: the function that the .cu file defines.
  template <class Argument>
  void add(const std::string& name, void (*kernel)(const Argument&)) {
    kernels_[name] = [kernel](const void* argument) {
      kernel(*static_cast<const Argument*>(argument));
    };
  }

  const std::string& name() const noexcept override { return name_; }
  std::size_t memory() const noexcept override { return memory_; }
  std::size_t free_memory() const override { return memory_ - std::min(memory_, used_); }
  std::shared_ptr<DeviceMemory> allocate(std::size_t bytes) override {
    return std::make_shared<Memory>(*this, bytes);
  }
  void with_queue(const std::function<void(DeviceQueue&)>& body) override {
    Queue queue(*this);
    const std::lock_guard lock(mutex_);  // shared memory of the kernels' model is the thread's
    body(queue);
  }

  std::size_t started = 0;  ///< kernels

 private:
  class Memory final : public DeviceMemory {
   public:
    Memory(ModelDevice& device, std::size_t bytes) : device_(device), bytes_(bytes) {
      if (device.used_ + bytes > device.memory_) throw MemoryError("the model has no memory left");
      device.used_ += bytes;
      values_ = ::operator new(bytes, std::align_val_t(256));
      // What is read before it is written spoils a result. More than this only takes room away.
      std::fill_n(static_cast<unsigned char*>(values_), std::min(bytes, std::size_t{1} << 28),
                  0xff);
    }
    ~Memory() override {
      ::operator delete(values_, std::align_val_t(256));
      device_.used_ -= bytes_;
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    DeviceAddress address() const noexcept override {
      return reinterpret_cast<DeviceAddress>(values_);
    }

   private:
    ModelDevice& device_;
    std::size_t bytes_;
    void* values_ = nullptr;
  };

  class Queue final : public DeviceQueue {
   public:
    explicit Queue(ModelDevice& device) : device_(device) {}
    DeviceAddress memory(std::size_t place, std::size_t bytes) override {
      kept_[place] = nullptr;
      kept_[place] = std::make_unique<Memory>(device_, bytes);
      return kept_[place]->address();
    }
    void write(DeviceAddress to, std::size_t stride, MatrixView rows) override {
      for (std::size_t i = 0; i < rows.rows; ++i)
        std::fill_n(std::copy_n(rows.row(i), rows.cols, reinterpret_cast<float*>(to) + i * stride),
                    stride - rows.cols, 0.0F);
    }
    void read(DeviceAddress from, std::size_t stride, MutableMatrixView rows) override {
      for (std::size_t i = 0; i < rows.rows; ++i)
        std::copy_n(reinterpret_cast<const float*>(from) + i * stride, rows.cols, rows.row(i));
    }
    using DeviceQueue::start;
    void start(const DeviceProgram&, const char* kernel, const DeviceGrid& grid,
               const void* argument, std::size_t) override {
      const auto& function = device_.kernels_.at(kernel);
      ++device_.started;
      for (model_block_row = 0; model_block_row < grid.rows; ++model_block_row)
        for (model_block_column = 0; model_block_column < grid.columns; ++model_block_column)
          function(argument);
    }
    void wait() override {}

   private:
    ModelDevice& device_;
    std::map<std::size_t, std::unique_ptr<Memory>> kept_;
  };

  std::size_t memory_, used_ = 0;
  std::string name_ = "a model of a GPU";
  std::mutex mutex_;
  std::map<std::string, std::function<void(const void*)>> kernels_;
};

/// A context whose components compute on this device.
class DeviceContext final : public testing::TestContext {
 public:
  explicit DeviceContext(Device& device, std::size_t threads = 2)
      : TestContext(threads), device_(device) {}
  Device* device() noexcept override { return &device_; }

 private:
  Device& device_;
};

}  // namespace semblance::gpu
