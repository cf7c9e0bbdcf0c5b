// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"
#include "tiles/tiled_rows.hpp"

/// Elementwise operations on blocks of sums, of block_sums values each, aligned to a cache line.
namespace semblance::vectors {

/// best = max(best, sums - cost)
void raise_block(const float* sums, float cost, float* best);

/// Several blocks, each with a cost to subtract, and a lower limit for all elements.
struct Candidates {
  const float* first;  ///< the block of costs[0]
  std::size_t stride;  ///< values from a block to the next
  const float* costs;
  std::size_t count;
  float floor;
};

/// to = the largest candidate
void take_largest(const Candidates& candidates, float* to);

/// sums += the largest candidate
void add_largest(const Candidates& candidates, float* sums);

/// Copies the block to row `row`, column `col` of a result, as far as it fits.
void copy_block(const float* sums, std::size_t row, std::size_t col, MutableMatrixView out);

}  // namespace semblance::vectors
