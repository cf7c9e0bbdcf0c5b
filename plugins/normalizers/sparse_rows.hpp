// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::normalizers {

// The functions of row_kernels.hpp for sparse rows: missing entries are 0 and cost nothing.

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
