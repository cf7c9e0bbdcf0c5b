// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// Products of one row `x` of rows.cols() values with the packed rows of the panels [first, end);
/// `out` has whole panels. The bits are those of numerics::multiply(), without the cost of a tile's
/// other rows. Bound by the speed of the cache.
void multiply_row(const float* x, const numerics::PackedRows& rows, std::size_t first,
                  std::size_t end, float* out);

/// out[l] = |row l of `a` - factor * row l of `b`|^2 for two panels of rows of `cols` values.
void squared_distances(const float* a, const float* b, float factor, std::size_t cols, float* out);

}  // namespace semblance::ml3
