// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// c = a * b^T in float32 for the rows [first, first + c.cols) of b: a (n x k), b packed (m x k), c
/// (n x c.cols); all of b if `first` is omitted and c has m columns. Runs on the calling thread
/// only. Zeros on the left are skipped if there are many. Throws Error if the shapes do not fit.
///
/// Each element is one chain of multiply-adds in the order of k, so it has the same bits at any
/// position of its row in a and in c, and on every CPU with fused multiply-add.
void multiply(MatrixView a, const PackedRows& b, MutableMatrixView c, std::size_t first = 0);

/// The same for left rows packed once for several products, with the same bits. Zeros are not
/// skipped. Throws Error if the shapes do not fit.
void multiply(const PackedBlock& a, const PackedRows& b, MutableMatrixView c);

/// products[i][j] = rows[i] * b's row j, with the same bits, for scattered rows of b.cols() values,
/// read in place: if b has few rows, packing costs more. Zeros are not skipped. Throws Error unless
/// `rows` and `products` have the same size.
void multiply(std::span<const float* const> rows, const PackedRows& b,
              std::span<float* const> products);

/// norms[i] = |row i|^2 for rows.rows rows, summed like an element of multiply(), so it equals the
/// product of a row with itself.
void squared_norms(MatrixView rows, float* norms);

}  // namespace semblance::numerics
