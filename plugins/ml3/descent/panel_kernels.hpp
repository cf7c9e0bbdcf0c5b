// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance_numerics/packed_rows.hpp"

namespace semblance::ml3 {

/// A panel of numerics::PackedRows (`cols` x its width) += sum over i of x_i factors_i^T, in the
/// order of i, with fused multiply-adds. `x`: `count` rows of `cols` values; `factors`: count x
/// width, on a cache line.
void update_panel(const float* const* x, const float* factors, std::size_t count, std::size_t cols,
                  float* panel);

/// Products of one row `x` of rows.cols() values with the packed rows of the panels [first, end);
/// `out` has whole panels. The bits are those of numerics::multiply(), without the cost of a tile's
/// other rows. Bound by the speed of the cache.
void multiply_row(const float* x, const numerics::PackedRows& rows, std::size_t first,
                  std::size_t end, float* out);

}  // namespace semblance::ml3
