// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "tiles/bf16.hpp"

namespace semblance::vectors {

/// A tile unit multiplies blocks of 32 rows by 32 values, two tiles each. A tile holds 16 rows of
/// 32 bf16 values, 1 KiB.
inline constexpr std::size_t tile_side = 16;
inline constexpr std::size_t tile_depth = 32;
inline constexpr std::size_t block_side = 2 * tile_side;
inline constexpr std::size_t block_values = block_side * tile_depth;
/// Number of sums of one block of rows with another.
inline constexpr std::size_t block_sums = block_side * block_side;

/// The side of rows in the tile unit's product left * right^T. On the left (samples) a row of a
/// tile is 32 values of one row. On the right (bases) it is one pair of values of all 16 rows.
enum class TileSide { left, right };

/// Rows rounded to bf16 and laid out in blocks: groups of 32 rows, each cell after cell, each cell
/// in steps of 32 values. Groups and cells are padded with zeros: a HOG cell of 31 values is one
/// step.
class TiledRows {
 public:
  TiledRows() = default;

  /// A cell has `cell` values, a divisor of the row's size; a whole row is one cell if cells do not
  /// matter.
  TiledRows(MatrixView rows, std::size_t cell, TileSide side);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t groups() const noexcept { return (rows_ + block_side - 1) / block_side; }
  /// Blocks per cell.
  std::size_t steps() const noexcept { return steps_; }
  /// Blocks per cell times block_values: the distance between cells.
  std::size_t cell_size() const noexcept { return steps_ * block_values; }

  const Bf16* cell(std::size_t group, std::size_t index) const noexcept {
    return values_.data() + (group * cells_ + index) * cell_size();
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cells_ = 0;
  std::size_t steps_ = 0;
  numerics::AlignedArray<Bf16> values_;
};

/// norms[i] = |row i|^2 of the row rounded to bf16, summed in the order in which a tile unit sums:
/// the bits of the rounded row's product with itself.
void rounded_squared_norms(MatrixView rows, float* norms);

}  // namespace semblance::vectors
