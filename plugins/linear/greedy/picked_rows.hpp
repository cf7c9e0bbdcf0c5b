// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance/state.hpp"

namespace semblance::linear {

/// Blocks of adjacent columns: the inputs of a solver, or some of them.
class ColumnBlocks {
 public:
  /// All blocks, of these widths, from the left.
  explicit ColumnBlocks(std::span<const std::size_t> widths);

  /// Only these blocks, in their order from left to right.
  ColumnBlocks only(std::vector<std::size_t> blocks) const;

  std::size_t width() const noexcept;
  void copy(const float* row, float* out) const;

 private:
  struct Block {
    std::size_t first = 0;
    std::size_t width = 0;
  };
  std::vector<Block> blocks_;
};

/// Some columns of some rows, copied.
class PickedRows final : public Rows {
 public:
  /// Copies the rows r of `rows` with wanted[r], in their order, block by block.
  PickedRows(const Rows& rows, const std::vector<bool>& wanted, const ColumnBlocks& columns);

  static std::size_t bytes(std::size_t rows, std::size_t cols) noexcept {
    return rows * cols * sizeof(float);
  }

  std::size_t rows() const noexcept override { return values_.rows; }
  std::size_t cols() const noexcept override { return values_.cols; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return values_.view().rows_range(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

 private:
  FloatMatrix values_;
};

}  // namespace semblance::linear
