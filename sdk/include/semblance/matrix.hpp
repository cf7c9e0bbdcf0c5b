// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace semblance {

/// A read-only view of float32 rows. It crosses the plugin boundary instead of a matrix class. Rows
/// of equal size are strided: row `i` starts at `data + i * stride`, `stride >= cols`. Rows that
/// differ in size (sequences, strings, sets) are contiguous: row `i` is `data[offsets[i]]` up to
/// `data[offsets[i + 1]]`, `cols` is the largest possible size, and `stride` has no meaning. Sparse
/// rows store their nonzero entries in the same way (compressed sparse rows): `columns[k]` is the
/// column of `data[k]`, ascending within a row and below `cols`, the dimension.
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;
  const std::size_t* offsets = nullptr;    ///< `rows + 1` offsets, or null: rows of equal size
  const std::uint32_t* columns = nullptr;  ///< one per entry, or null: not sparse

  bool ragged() const noexcept { return offsets != nullptr; }
  bool sparse() const noexcept { return columns != nullptr; }
  const float* row(std::size_t i) const noexcept {
    return data + (offsets ? offsets[i] : i * stride);
  }
  /// The number of values of row i.
  std::size_t size(std::size_t i) const noexcept {
    return offsets ? offsets[i + 1] - offsets[i] : cols;
  }
  /// The number of values of all rows.
  std::size_t values() const noexcept { return offsets ? offsets[rows] - offsets[0] : rows * cols; }
  std::span<const float> row_span(std::size_t i) const noexcept { return {row(i), size(i)}; }
  /// The columns of a sparse row's entries.
  std::span<const std::uint32_t> columns_of(std::size_t i) const noexcept {
    return {columns + offsets[i], size(i)};
  }
  MatrixView rows_range(std::size_t first, std::size_t count) const noexcept {
    if (offsets) return {data, count, cols, stride, offsets + first, columns};
    return {data + first * stride, count, cols, stride};
  }
};

/// The writable counterpart of MatrixView.
struct MutableMatrixView {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;
  const std::size_t* offsets = nullptr;
  std::uint32_t* columns = nullptr;

  bool ragged() const noexcept { return offsets != nullptr; }
  bool sparse() const noexcept { return columns != nullptr; }
  float* row(std::size_t i) const noexcept { return data + (offsets ? offsets[i] : i * stride); }
  std::size_t size(std::size_t i) const noexcept {
    return offsets ? offsets[i + 1] - offsets[i] : cols;
  }
  std::size_t values() const noexcept { return offsets ? offsets[rows] - offsets[0] : rows * cols; }
  std::span<float> row_span(std::size_t i) const noexcept { return {row(i), size(i)}; }
  std::span<std::uint32_t> columns_of(std::size_t i) const noexcept {
    return {columns + offsets[i], size(i)};
  }
  MutableMatrixView rows_range(std::size_t first, std::size_t count) const noexcept {
    if (offsets) return {data, count, cols, stride, offsets + first, columns};
    return {data + first * stride, count, cols, stride};
  }
  /// For rows of equal size only.
  MutableMatrixView cols_range(std::size_t first, std::size_t count) const noexcept {
    return {data + first, rows, count, stride};
  }
  operator MatrixView() const noexcept { return {data, rows, cols, stride, offsets, columns}; }
};

}  // namespace semblance
