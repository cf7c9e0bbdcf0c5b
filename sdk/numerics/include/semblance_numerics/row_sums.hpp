// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::numerics {

/// sums[j] += sum_r factors[r] * rows[r][j] for j < count; each sum in double, over the rows in
/// order. Runs on the calling thread only.
void add_rows(const float* const* rows, const double* factors, std::size_t row_count, double* sums,
              std::size_t count);

}  // namespace semblance::numerics
