// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// Whether multiply_sparse() is faster than the dense product: many zeros in `a`, and enough
/// columns of the result to repay listing the others. Never where a value of b is not finite, since
/// its product with a zero counts.
bool sparse_pays(MatrixView a, const PackedRows& b, std::size_t columns);

/// c = a * b^T for the rows [first, first + c.cols) of b, without the multiply-adds of a's zeros.
/// An element is the same chain of multiply-adds in the order of k as in multiply(), where adding
/// zero changes nothing: the bits are equal.
void multiply_sparse(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c);

}  // namespace semblance::numerics
