// SPDX-License-Identifier: MIT
#include "tiles/tiled_rows.hpp"

#include <algorithm>

namespace semblance::vectors {
namespace {

// Copies up to 32 values of one row to their place in a block.
void place_left(const float* from, std::size_t count, std::size_t row, Bf16* block) {
  Bf16* to = block + row * tile_depth;
  for (std::size_t k = 0; k < count; ++k) to[k] = to_bf16(from[k]);
}

void place_right(const float* from, std::size_t count, std::size_t row, Bf16* block) {
  Bf16* tile = block + row / tile_side * (block_values / 2);
  const std::size_t column = row % tile_side;
  for (std::size_t k = 0; k < count; ++k)
    tile[k / 2 * tile_depth + 2 * column + k % 2] = to_bf16(from[k]);
}

}  // namespace

TiledRows::TiledRows(MatrixView rows, std::size_t cell, TileSide side)
    : rows_(rows.rows),
      cells_(rows.cols / cell),
      steps_((cell + tile_depth - 1) / tile_depth),
      values_(groups() * cells_ * cell_size()) {
  std::fill_n(values_.data(), values_.size(), Bf16{0});
  const auto place = side == TileSide::left ? place_left : place_right;
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t c = 0; c < cells_; ++c) {
      Bf16* to = values_.data() + (i / block_side * cells_ + c) * cell_size();
      const float* from = rows.row(i) + c * cell;
      for (std::size_t k = 0; k < cell; k += tile_depth, to += block_values)
        place(from + k, std::min(tile_depth, cell - k), i % block_side, to);
    }
}

void rounded_squared_norms(MatrixView rows, float* norms) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    norms[i] = 0;
    for (std::size_t k = 0; k < rows.cols; k += tile_depth) {
      // Squares of bf16 are exact in float32, so fused multiply-adds make no difference.
      float sums[2] = {0, 0};
      for (std::size_t j = k; j < std::min(k + tile_depth, rows.cols); ++j) {
        const float x = to_float(to_bf16(rows.row(i)[j]));
        sums[j % 2] += x * x;
      }
      norms[i] += sums[0] + sums[1];
    }
  }
}

}  // namespace semblance::vectors
