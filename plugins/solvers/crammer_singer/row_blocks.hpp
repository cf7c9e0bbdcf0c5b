// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// Some rows, shared out in blocks of at most `size`, and the Gram matrices of the blocks. Which
/// rows are in a block is drawn by lot, always the same: with fewer classes in a block than there
/// are, descent by blocks is slower by far.
class RowBlocks {
 public:
  /// Computes the Gram matrices, in float32; `bias` is appended to the rows. Check the context
  /// afterwards: a stop request ends it early.
  RowBlocks(const Rows& rows, std::vector<std::size_t> chosen, std::size_t size, double bias,
            Context& context);

  std::size_t rows() const noexcept { return order_.size(); }

  std::size_t blocks() const noexcept { return blocks_; }
  std::size_t size(std::size_t block) const noexcept {
    return (order_.size() - block + blocks_ - 1) / blocks_;
  }
  std::size_t row(std::size_t block, std::size_t place) const noexcept {
    return order_[block + place * blocks_];
  }
  const float* values(std::size_t block, std::size_t place) const {
    return rows_.view(row(block, place), 1).data;
  }

  /// size(block) inner products with the row at `place`.
  const float* products(std::size_t block, std::size_t place) const noexcept {
    return gram_.row(block + place * blocks_);
  }

  /// For blocks of `size` rows.
  static std::size_t bytes(const Rows& rows, std::size_t size) noexcept {
    return rows.rows() * padded(size) * sizeof(float);
  }

 private:
  void compute(std::size_t block, double bias);

  const Rows& rows_;
  std::vector<std::size_t> order_;
  std::size_t blocks_;
  Vectors<float> gram_;  // a row's products with its block
};

}  // namespace semblance::solvers
