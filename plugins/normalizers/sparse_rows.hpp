// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

namespace semblance::normalizers {

// The functions of row_kernels.hpp for sparse rows: missing entries are 0 and cost nothing.

/// Throws Error naming the column of the first value of row i that is not finite; `number` and
/// `place` say which row this is.
void check_sparse(MatrixView rows, std::size_t i, std::size_t number, RowError::Of of);

/// sums[c] += the values of column c, in the order of the rows.
void add_sparse_columns(MatrixView rows, double* sums);

/// sums[c] += (value - centre[c])^2, zeros included.
void add_sparse_deviations(MatrixView rows, const double* centre, double* sums);

/// The l2 norm of a row, summed over its entries in order.
double sparse_norm(std::span<const float> values);

/// The same columns, and each value times the column's factor. Throws Error naming the first value
/// that is not finite.
void scale_sparse(MatrixView in, const float* scale, MutableMatrixView out);

}  // namespace semblance::normalizers
