// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "semblance/matrix.hpp"

namespace semblance {

/// Code for a device, made by semblance_add_device_program(). A program is known by its address, so
/// it must live as long as the process.
struct DeviceProgram {
  const char* ptx = nullptr;  ///< null: built without a compiler for devices
};

/// An address in a device's memory.
using DeviceAddress = std::uint64_t;

/// Memory of a device, which is freed with the object.
class DeviceMemory {
 public:
  virtual ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  virtual DeviceAddress address() const noexcept = 0;

 protected:
  DeviceMemory() = default;
};

/// How many blocks of how many threads compute a kernel.
struct DeviceGrid {
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  std::uint32_t threads = 1;  ///< of a block
};

/// Work for a device, which it does in the order of the calls. Different queues work side by side.
/// All members throw Error, which names the device, if it fails.
class DeviceQueue {
 public:
  virtual ~DeviceQueue();

  /// At least these bytes, undefined at first, until the queue is given back or asks again for
  /// memory at the same place (0 to 7). Throws MemoryError if the device has no more.
  virtual DeviceAddress memory(std::size_t place, std::size_t bytes) = 0;

  /// Copies dense rows to `to`, each `stride` values after the one before and followed by zeros up
  /// to there. They may be changed as soon as the call returns.
  virtual void write(DeviceAddress to, std::size_t stride, MatrixView rows) = 0;

  /// Copies rows from `from`, each `stride` values after the one before, once all work before is
  /// done, and waits for them.
  virtual void read(DeviceAddress from, std::size_t stride, MutableMatrixView rows) = 0;

  /// Starts the kernel of this name. `argument`, of `bytes` bytes, is its only argument.
  virtual void start(const DeviceProgram& program, const char* kernel, const DeviceGrid& grid,
                     const void* argument, std::size_t bytes) = 0;

  /// Waits until all work is done, so that other queues may read what this one wrote.
  virtual void wait() = 0;

  template <class Argument>
  void start(const DeviceProgram& program, const char* kernel, const DeviceGrid& grid,
             const Argument& argument) {
    start(program, kernel, grid, &argument, sizeof argument);
  }
};

/// A GPU. All members may be called from any thread.
class Device {
 public:
  virtual ~Device();

  /// "NVIDIA H200".
  virtual const std::string& name() const noexcept = 0;

  /// Bytes of its memory.
  virtual std::size_t memory() const noexcept = 0;

  /// Bytes of its memory that nobody uses.
  virtual std::size_t free_memory() const = 0;

  /// Throws MemoryError if so much is not free.
  virtual std::shared_ptr<DeviceMemory> allocate(std::size_t bytes) = 0;

  /// Calls body with a queue that no other thread uses meanwhile.
  virtual void with_queue(const std::function<void(DeviceQueue&)>& body) = 0;
};

}  // namespace semblance
