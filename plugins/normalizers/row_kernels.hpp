// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/occurring_columns.hpp"

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

// The same for sparse rows: missing entries are 0 and cost nothing.

/// Throws Error naming the column of the first value of row i that is not finite; `number` and
/// `place` say which row this is.
void check_sparse(MatrixView rows, std::size_t i, std::size_t number, RowError::Of of);

// Sums and factors are those of the occurring columns, by place.

/// sums[p] += the values of a column, in the order of the rows.
void add_sparse_columns(MatrixView rows, const numerics::OccurringColumns& columns, double* sums);

/// sums[p] += (value - centre[p])^2, zeros included.
void add_sparse_deviations(MatrixView rows, const numerics::OccurringColumns& columns,
                           const double* centre, double* sums);

/// The l2 norm of a row, summed over its entries in order.
double sparse_norm(std::span<const float> values);

/// The same columns, and each value times the column's factor, which is 1 for columns that are not
/// among these. Throws Error naming the first value that is not finite.
void scale_sparse(MatrixView in, const numerics::OccurringColumns& columns, const float* scale,
                  MutableMatrixView out);

}  // namespace semblance::normalizers
