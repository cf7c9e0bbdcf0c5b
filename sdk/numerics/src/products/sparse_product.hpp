// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// The number of columns that a product processes for all rows before the next columns. For 64
/// packed rows they take 48 KiB, of which the columns shared by rows stay in the first-level cache.
/// Measured on one Zen 4 core, rows of MNIST with 153 of 787 values by 64 packed rows, in GFLOP/s:
/// 51 with 48 columns, 61 with 96, 67 with 192 and 52 with all; with AVX2 47, 57, 60 and 59.
/// Multiply-adds from the first-level cache alone reach 108; with the load of a value and its
/// offset for every four, 86.
inline constexpr std::size_t slice_columns = 192;

/// Whether multiply_sparse() is faster than the dense product: many zeros in `a`, and enough result
/// columns to repay listing the nonzero values. False if a value of b is not finite, since its
/// product with zero is not zero.
bool sparse_pays(MatrixView a, const PackedRows& b, std::size_t columns);

/// c = a * b^T for the rows [first, first + c.cols) of b, without the multiply-adds of a's zeros.
/// An element is the same chain of multiply-adds in the order of k as in multiply(); adding zero
/// changes nothing, so the bits are equal.
void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c);

}  // namespace semblance::numerics
