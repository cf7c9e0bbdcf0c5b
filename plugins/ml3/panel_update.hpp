// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::ml3 {

/// A panel of numerics::PackedRows (`cols` x its width) += sum over i of x_i factors_i^T, in the
/// order of i, with fused multiply-adds. `x`: `count` rows of `cols` values; `factors`: count x
/// width, on a cache line.
void update_panel(const float* const* x, const float* factors, std::size_t count, std::size_t cols,
                  float* panel);

}  // namespace semblance::ml3
