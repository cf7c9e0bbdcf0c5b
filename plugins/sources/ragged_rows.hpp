// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spilling_array.hpp"

namespace semblance::sources {

template <class T>
using MemoryArray = std::vector<T>;

template <class T>
std::size_t bytes_in_memory(const std::vector<T>& values) noexcept {
  return values.size() * sizeof(T);
}
template <class T>
std::size_t bytes_in_memory(const SpillingArray<T>& values) noexcept {
  return values.bytes_in_memory();
}

/// Contiguous rows of different sizes; sparse if values have columns. In a SpillingArray they need
/// not fit into memory.
template <class T, template <class> class Array = MemoryArray>
struct RaggedRows {
  Array<T> values;
  std::vector<std::size_t> offsets = {
      0};                             ///< row i is values[offsets[i]] .. values[offsets[i + 1])
  Array<std::uint32_t> columns = {};  ///< one per value, ascending within a row; or none

  std::size_t rows() const noexcept { return offsets.size() - 1; }
  std::size_t size(std::size_t row) const noexcept { return offsets[row + 1] - offsets[row]; }
  std::span<const T> row(std::size_t i) const noexcept {
    return {values.data() + offsets[i], size(i)};
  }
  /// Makes the values appended since the last call a row.
  void end_row() { offsets.push_back(values.size()); }
  /// The size of the largest row.
  std::size_t largest() const noexcept {
    std::size_t most = 0;
    for (std::size_t i = 0; i < rows(); ++i) most = size(i) > most ? size(i) : most;
    return most;
  }
  /// The memory in bytes.
  std::size_t bytes() const noexcept {
    return bytes_in_memory(values) + bytes_in_memory(columns) +
           offsets.size() * sizeof(std::size_t);
  }
};

/// Sparse rows that may be too many for memory.
using SpillingRows = RaggedRows<float, SpillingArray>;

}  // namespace semblance::sources
