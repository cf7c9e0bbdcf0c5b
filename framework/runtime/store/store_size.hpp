// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace semblance {

/// The approximate size of a store's artifacts in bytes, so that checking its limit does not
/// require a look at all its files: the last measured size, and what was added since. It is stored
/// in a file: a number, and then a line "+n" for each addition.
///
/// After a race or when a process is killed, it is too small by what was just stored; when other
/// processes remove artifacts, it is too large. The next measurement corrects it.
class StoreSize {
 public:
  explicit StoreSize(std::filesystem::path file) : file_(std::move(file)) {}

  /// Adds to the size. Any number of processes may do so at the same time.
  void add(std::uintmax_t bytes) const noexcept;

  /// The approximate size; nothing where it was never measured, or cannot be read.
  std::optional<std::uintmax_t> about() const noexcept;

  /// Sets the measured size. Call it while no other process adds anything.
  void set(std::uintmax_t bytes) const noexcept;

 private:
  std::filesystem::path file_;
};

}  // namespace semblance
