// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "problem/sweep.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// Some rows, divided into blocks of at most `size`, and the Gram matrices of the blocks. Rows are
/// assigned at random, with a fixed seed: if a block lacks some classes, descent by blocks is much
/// slower.
class RowBlocks {
 public:
  /// Computes the Gram matrices, in float32; `bias` is appended to the rows. Those of the first
  /// blocks are cached, up to `memory` bytes; the later ones are recomputed, with the same bits,
  /// whenever they are opened. Check the context afterwards: a stop request ends it early.
  RowBlocks(const Rows& rows, std::vector<std::size_t> chosen, std::size_t size, double bias,
            std::size_t memory, Context& context);

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

  /// Makes the products of a block available; one block at a time.
  void open(std::size_t block);
  /// The size(block) inner products with the row at `place`.
  const float* products(std::size_t block, std::size_t place) const noexcept {
    return (block < kept_.size() ? kept_[block] : opened_).row(place);
  }

  /// The bytes of the Gram matrix of `size` rows.
  static std::size_t bytes(std::size_t size) noexcept {
    return size * padded(size) * sizeof(float);
  }

 private:
  Vectors<float> gram(std::size_t block) const;

  const Rows& rows_;
  std::vector<std::size_t> order_;
  std::size_t blocks_;
  double bias_;
  std::vector<Vectors<float>> kept_;  // Gram matrices
  Vectors<float> opened_;
};

}  // namespace semblance::linear
