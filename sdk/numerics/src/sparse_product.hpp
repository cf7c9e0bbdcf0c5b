// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// Columns that a product takes from one row after the other, before it takes the next ones. Those
/// of 64 packed rows are 48 KiB, of which the columns that rows share stay in the first-level
/// cache. Measured on one Zen 4 core, rows of MNIST with 153 of 787 values by 64 packed rows, in
/// GFLOP/s: 51 with 48 columns, 61 with 96, 67 with 192 and 52 with all; with AVX2 47, 57, 60
/// and 59. From the first-level cache multiply-adds alone make 108; a value and its offset are
/// loaded besides for every four, which leaves 86.
inline constexpr std::size_t slice_columns = 192;

/// Whether multiply_sparse() is faster than the dense product: many zeros in `a`, and enough
/// columns of the result to repay listing the others. Never where a value of b is not finite, since
/// its product with a zero counts.
bool sparse_pays(MatrixView a, const PackedRows& b, std::size_t columns);

/// c = a * b^T for the rows [first, first + c.cols) of b, without the multiply-adds of a's zeros.
/// An element is the same chain of multiply-adds in the order of k as in multiply(), where adding
/// zero changes nothing: the bits are equal.
void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c);

}  // namespace semblance::numerics
