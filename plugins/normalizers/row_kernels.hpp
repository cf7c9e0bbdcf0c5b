// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"

namespace semblance {

// All sums below run in eight fixed lanes or one a column, so that their bits depend neither on
// the vector width of the machine nor on the rows around. They are bound by memory.

/// sums[c] += the values of column c, in the order of the rows.
void add_columns(MatrixView rows, double* sums);

/// sums[c] += (value - centre[c])^2.
void add_squared_deviations(MatrixView rows, const double* centre, double* sums);

/// The l2 norm of (row - centre); `centre` may be null.
double centred_norm(const float* row, const float* centre, std::size_t cols);

/// out = (in - offset) * scale + shift, column by column.
void affine(MatrixView in, const float* offset, const float* scale, float shift,
            MutableMatrixView out);

/// Throws Error naming the first value that is not finite; `first_row` is the number of row 0.
/// `place` says what rows are counted from.
void check_finite(MatrixView rows, std::size_t first_row, const char* place);

}  // namespace semblance
