// SPDX-License-Identifier: MIT
#include "semblance_numerics/packed_rows.hpp"

#include <algorithm>

namespace semblance::numerics {

void pack_groups(MatrixView rows, std::size_t height, float* packed) {
  // What this many values of a group fill stays in L1 while the rows' values go there.
  constexpr std::size_t depth = 64;
  for (std::size_t first = 0; first < rows.rows; first += height) {
    const std::size_t used = std::min(height, rows.rows - first);
    for (std::size_t k0 = 0; k0 < rows.cols; k0 += depth) {
      const std::size_t k1 = std::min(k0 + depth, rows.cols);
      for (std::size_t r = 0; r < used; ++r) {
        const float* from = rows.row(first + r);
        for (std::size_t k = k0; k < k1; ++k) packed[k * height + r] = from[k];
      }
      for (std::size_t r = used; r < height; ++r)
        for (std::size_t k = k0; k < k1; ++k) packed[k * height + r] = 0.0f;
    }
    packed += height * rows.cols;
  }
}

PackedRows::PackedRows(MatrixView rows)
    : rows_(rows.rows),
      cols_(rows.cols),
      width_(tile_shape().width),
      values_(panels() * cols_ * width_) {
  pack_groups(rows, width_, values_.data());
  // A sum over many values vectorises, a test of each does not.
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
