// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::numerics {

/// The tile that this CPU's product kernels compute at once in registers.
struct TileShape {
  std::size_t rows;   ///< left rows (samples), each value broadcast
  std::size_t width;  ///< packed rows (bases), one per SIMD lane
};
TileShape tile_shape();

/// The right-hand rows of products, rearranged once: panels of `width` rows, in which value k of
/// all rows is contiguous. The last panel is padded with zeros.
class PackedRows {
 public:
  PackedRows() = default;
  explicit PackedRows(MatrixView rows);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return cols_; }
  std::size_t width() const noexcept { return width_; }
  std::size_t panels() const noexcept { return width_ == 0 ? 0 : (rows_ + width_ - 1) / width_; }

  /// Whether all values are finite, so that zero times any value is zero.
  bool finite() const noexcept { return finite_; }

  /// cols() x width() values, on a cache line.
  const float* panel(std::size_t p) const noexcept { return values_.data() + p * cols_ * width_; }
  float* panel(std::size_t p) noexcept { return values_.data() + p * cols_ * width_; }

  /// The original rows.
  FloatMatrix unpack() const;

  std::size_t bytes() const noexcept { return values_.size() * sizeof(float); }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t width_ = 0;
  bool finite_ = true;
  AlignedBuffer values_;
};

/// Packs groups of `height` rows, in which value k of all rows is contiguous; the last group is
/// padded with zeros. Writes ceil(rows.rows / height) * height * rows.cols values.
void pack_groups(MatrixView rows, std::size_t height, float* packed);

/// The left-hand rows of products (a block of samples), packed for one use in groups of
/// tile_shape().rows.
class PackedBlock {
 public:
  explicit PackedBlock(MatrixView rows);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return cols_; }
  std::size_t height() const noexcept { return height_; }
  std::size_t groups() const noexcept { return (rows_ + height_ - 1) / height_; }

  /// cols() x height() values.
  const float* group(std::size_t g) const noexcept { return values_.data() + g * cols_ * height_; }

 private:
  std::size_t rows_;
  std::size_t cols_;
  std::size_t height_;
  AlignedBuffer values_;
};

}  // namespace semblance::numerics
