// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// c = a * b^T in float32 for the rows [first, first + c.cols) of b: a (n x k), b packed (m x k),
/// c (n x c.cols); all of b where `first` is left out and c has m columns. On the calling thread
/// alone. Zeros on the left are skipped where there are many. Throws Error where the shapes do not
/// fit.
///
/// Each element is one chain of multiply-adds in the order of k, so it has the same bits wherever
/// its row stands in a and in c, and on every CPU with fused multiply-add.
void multiply(MatrixView a, const PackedRows& b, MutableMatrixView c, std::size_t first = 0);

/// The same for left rows that are packed once for several products, with the same bits. Zeros are
/// not skipped. Throws Error where the shapes do not fit.
void multiply(const PackedBlock& a, const PackedRows& b, MutableMatrixView c);

/// products[i][j] = rows[i] * b's row j, with the same bits, for rows of b.cols() values that are
/// picked out of others and read where they are: where b has few rows, packing them costs more.
/// Zeros are not skipped. Throws Error unless there are as many rows as places for their products.
void multiply(std::span<const float* const> rows, const PackedRows& b,
              std::span<float* const> products);

/// norms[i] = |row i|^2 for rows.rows rows, summed like an element of multiply(): equal to it where
/// a row meets itself.
void squared_norms(MatrixView rows, float* norms);

}  // namespace semblance::numerics
