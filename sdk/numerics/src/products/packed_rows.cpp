// SPDX-License-Identifier: MIT
#include "semblance_numerics/packed_rows.hpp"

#include <algorithm>
#include <array>

namespace semblance::numerics {

namespace {

/// Side of the squares that are transposed in registers.
constexpr std::size_t side = 4;

/// to[k * height + r] = rows[r][k] for all r and k below side.
void transpose(const std::array<const float*, side>& rows, std::size_t height, float* to) {
  float columns[side][side];
  for (std::size_t r = 0; r < side; ++r)
    for (std::size_t k = 0; k < side; ++k) columns[k][r] = rows[r][k];
  for (std::size_t k = 0; k < side; ++k)
    for (std::size_t r = 0; r < side; ++r) to[k * height + r] = columns[k][r];
}

/// Values [k0, k1) of `used` rows from `first` on: packed[k * height + r] is value k of the r-th.
void pack_columns(MatrixView rows, std::size_t first, std::size_t used, std::size_t k0,
                  std::size_t k1, std::size_t height, float* packed) {
  const std::size_t whole = used / side * side, squares_end = k0 + (k1 - k0) / side * side;
  for (std::size_t r = 0; r < whole; r += side) {
    std::array<const float*, side> from;
    for (std::size_t i = 0; i < side; ++i) from[i] = rows.row(first + r + i) + k0;
    for (std::size_t k = k0; k < squares_end; k += side) {
      transpose(from, height, packed + k * height + r);
      for (const float*& row : from) row += side;
    }
  }
  for (std::size_t r = 0; r < used; ++r)
    for (std::size_t k = r < whole ? squares_end : k0; k < k1; ++k)
      packed[k * height + r] = rows.row(first + r)[k];
  for (std::size_t k = k0; k < k1; ++k)
    std::fill(packed + k * height + used, packed + (k + 1) * height, 0.0F);
}

}  // namespace

void pack_groups(MatrixView rows, std::size_t height, float* packed) {
  // A slice of this depth stays in L1 while the rows' values are written to it.
  constexpr std::size_t depth = 64;
  for (std::size_t first = 0; first < rows.rows; first += height) {
    const std::size_t used = std::min(height, rows.rows - first);
    for (std::size_t k = 0; k < rows.cols; k += depth)
      pack_columns(rows, first, used, k, std::min(k + depth, rows.cols), height, packed);
    packed += height * rows.cols;
  }
}

PackedRows::PackedRows(MatrixView rows)
    : rows_(rows.rows),
      cols_(rows.cols),
      width_(tile_shape().width),
      values_(panels() * cols_ * width_) {
  pack_groups(rows, width_, values_.data());
  // A sum over many values vectorises; a test of each does not.
  constexpr std::size_t lanes = 16;
  float zeros[lanes] = {};
  const float* const end = values_.data() + values_.size();
  const float* from = values_.data();
  for (; end - from >= std::ptrdiff_t(lanes); from += lanes)
    for (std::size_t l = 0; l < lanes; ++l) zeros[l] += from[l] * 0;
  for (; from != end; ++from) zeros[0] += *from * 0;
  finite_ = std::all_of(zeros, zeros + 16, [](float x) { return x == 0; });
}

PackedBlock::PackedBlock(MatrixView rows)
    : rows_(rows.rows),
      cols_(rows.cols),
      height_(tile_shape().rows),
      values_(groups() * cols_ * height_) {
  pack_groups(rows, height_, values_.data());
}

FloatMatrix PackedRows::unpack() const {
  FloatMatrix rows(rows_, cols_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const float* from = panel(i / width_) + i % width_;
    for (std::size_t k = 0; k < cols_; ++k) rows.values[i * cols_ + k] = from[k * width_];
  }
  return rows;
}

}  // namespace semblance::numerics
