// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// Concatenates plain values to send to other ranks.
class Packer {
 public:
  template <class T>
  void put(const T& value) requires std::is_trivially_copyable_v<T> {
    append(&value, sizeof value);
  }
  /// Preceded by its length.
  template <class T>
  void put_all(std::span<const T> values) {
    put(values.size());
    append(values.data(), values.size_bytes());
  }
  void put(const numerics::DualSolution& solution);

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

/// Extracts the values in the same order. Throws Error if there are too few.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool done() const noexcept { return bytes_.empty(); }

  template <class T>
  T take() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> take_all() {
    const auto count = take<std::size_t>();
    if (count > bytes_.size() / sizeof(T)) too_short();
    std::vector<T> values(count);
    copy(values.data(), count * sizeof(T));
    return values;
  }
  /// The solution of a problem with `variables` variables.
  numerics::DualSolution take_solution(std::size_t variables);

 private:
  [[noreturn]] static void too_short();
  void copy(void* to, std::size_t size);
  std::span<const std::byte> bytes_;
};

}  // namespace semblance::kernel
