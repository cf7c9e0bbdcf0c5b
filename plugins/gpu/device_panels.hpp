// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "addresses.hpp"
#include "semblance/context.hpp"
#include "semblance/device.hpp"

namespace semblance::gpu {

/// What a queue's memory is for.
enum Place : std::size_t { of_rows, of_results, of_panel, of_raw };

/// Bases in a device's memory, in panels, as far as they fit; the others are copied there when they
/// are needed.
class DevicePanels {
 public:
  /// Copies the bases [first, first + rows.rows) into `rows`.
  using Fetch = std::function<void(std::size_t first, MutableMatrixView rows)>;
  /// Writes bases to `to`, in the order in which the kernels read them.
  using Store = std::function<void(MatrixView rows, DeviceAddress to, DeviceQueue& queue)>;

  struct Shape {
    std::size_t count = 0;  ///< bases
    std::size_t cols = 0;   ///< values of each
    std::size_t panel = 1;  ///< bases of a panel
    std::size_t bytes = 0;  ///< of a panel on the device
  };

  /// At most this many bases of `bytes` bytes for a panel.
  static std::size_t fitting(std::size_t bytes);

  /// `fetch` and `store` are called here and in for_each_part(), from any thread.
  DevicePanels(Device& device, const Shape& shape, Fetch fetch, Store store, Context& context);

  /// Bases of one panel.
  struct Part {
    DeviceAddress panel = 0;
    std::size_t first = 0;  ///< in the panel
    std::size_t count = 0;
    std::size_t done = 0;  ///< bases in the parts before
  };

  /// Calls body for the parts of bases [first, first + count), whose panels are on the device until
  /// body returns.
  void for_each_part(std::size_t first, std::size_t count, DeviceQueue& queue,
                     const std::function<void(const Part&)>& body) const;

  /// How many rows a block has.
  struct Rows {
    std::size_t unit = 1;                     ///< a multiple of it, where the memory suffices
    std::size_t most = std::size_t{1} << 14;  ///< at most
  };

  /// Calls body with blocks of rows of `in` and their results, with smaller ones if the device is
  /// full, and polls the context.
  void for_each_block(
      MatrixView in, MutableMatrixView out, const Rows& rows, Context& context,
      const std::function<void(MatrixView, MutableMatrixView, DeviceQueue&)>& body) const;

  Device& device() const noexcept { return device_; }
  /// The bases that are in the device's memory.
  std::size_t resident() const noexcept;

 private:
  std::size_t bases_of(std::size_t panel) const noexcept;
  void store(std::size_t panel, DeviceAddress to, DeviceQueue& queue) const;
  DeviceAddress panel(std::size_t number, DeviceQueue& queue) const;

  Device& device_;
  Shape shape_;
  Fetch fetch_;
  Store store_;
  std::vector<std::shared_ptr<DeviceMemory>> panels_;  ///< null: not resident
};

}  // namespace semblance::gpu
