// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {

// All sums below use eight fixed lanes or one sum per column, so that their bits depend neither on
// the machine's vector width nor on other rows. They are bound by memory.

/// sums[c] += the values of column c, in the order of the rows.
void add_columns(MatrixView rows, double* sums);

/// sums[c] += (value - centre[c])^2.
void add_squared_deviations(MatrixView rows, const double* centre, double* sums);

/// The l2 norm of (row - centre).
double centred_norm(const float* row, const double* centre, std::size_t cols);

/// Subtracted from each column: first `high`, then `low` (Centre).
struct ColumnOffset {
  const float* high;
  const float* low;
};

/// out = (in - offset) * scale + shift, column by column. `in` and `out` must not overlap. Throws
/// Error naming the first value that is not finite.
void affine(MatrixView in, ColumnOffset offset, const float* scale, float shift,
            MutableMatrixView out);

/// out = in - offset, in the same way; `in` begins with row `number` of the block.
void subtract(MatrixView in, std::size_t number, ColumnOffset offset, MutableMatrixView out);

/// Whether no value is infinite or not a number.
bool all_finite(const float* row, std::size_t cols);

/// Throws Error naming the column of the first value that is not finite; `number` and `place` say
/// which row this is, as in "row 7 of the block".
void check_finite(const float* row, std::size_t cols, std::size_t number, RowError::Of of);

}  // namespace semblance::normalizers
