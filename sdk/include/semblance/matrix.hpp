// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance {

/// A strided, row-major, read-only view of float32 values: what crosses the plugin boundary
/// instead of a matrix class. Row `i` starts at `data + i * stride`; `stride >= cols`.
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  const float* row(std::size_t i) const noexcept { return data + i * stride; }
  std::span<const float> row_span(std::size_t i) const noexcept { return {row(i), cols}; }
  MatrixView rows_range(std::size_t first, std::size_t count) const noexcept {
    return {row(first), count, cols, stride};
  }
};

/// The writable counterpart of MatrixView.
struct MutableMatrixView {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  float* row(std::size_t i) const noexcept { return data + i * stride; }
  std::span<float> row_span(std::size_t i) const noexcept { return {row(i), cols}; }
  MutableMatrixView rows_range(std::size_t first, std::size_t count) const noexcept {
    return {row(first), count, cols, stride};
  }
  MutableMatrixView cols_range(std::size_t first, std::size_t count) const noexcept {
    return {data + first, rows, count, stride};
  }
  operator MatrixView() const noexcept { return {data, rows, cols, stride}; }
};

}  // namespace semblance
