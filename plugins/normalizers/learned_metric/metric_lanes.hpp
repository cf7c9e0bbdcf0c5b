// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance::normalizers {

// Sums have fixed lanes, or one sum per column, so that their bits do not depend on the CPU.

/// out[j] = the sum of |p - row j| over the columns, for `count` rows of `cols` values.
void absolute_distances(const double* p, const double* rows, std::size_t count, std::size_t cols,
                        double* out);

/// gradient[c] += the sum over the rows of weights[j] sign(p[c] - row j[c]), where sign(0) is 0.
void add_signs(const double* weights, const double* p, const double* rows, std::size_t count,
               std::size_t cols, double* gradient);

}  // namespace semblance::normalizers
