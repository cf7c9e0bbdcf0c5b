// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace semblance {

/// About how many bytes the artifacts of a store take, so that nobody has to look through all of
/// its files to know that it is within its limit: what was measured when somebody last did, and
/// what was added since. A file keeps it, a number and then a line "+n" for each addition.
///
/// A race or a killed process makes it too small by what it had just stored, and what others remove
/// makes it too large; it is right again once it is measured.
class StoreSize {
 public:
  explicit StoreSize(std::filesystem::path file) : file_(std::move(file)) {}

  /// Any number of processes may do so at the same time.
  void add(std::uintmax_t bytes) const noexcept;

  /// Nothing where it was never measured, or cannot be read.
  std::optional<std::uintmax_t> about() const noexcept;

  /// It was measured. To be called while no other process adds anything.
  void set(std::uintmax_t bytes) const noexcept;

 private:
  std::filesystem::path file_;
};

}  // namespace semblance
