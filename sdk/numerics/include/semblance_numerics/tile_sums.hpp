// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"
#include "semblance_numerics/tiled_rows.hpp"

/// Element by element on blocks of sums, of block_sums values each, on a cache line.
namespace semblance::numerics {

/// best = max(best, sums - cost)
void raise(const float* sums, float cost, float* best);

/// Several blocks, each with a cost to be subtracted, and a value that no element falls below.
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

/// The block's upper left part into a result that begins at row `row`, column `col`, as far as the
/// result reaches.
void copy_block(const float* sums, std::size_t row, std::size_t col, MutableMatrixView out);

}  // namespace semblance::numerics
