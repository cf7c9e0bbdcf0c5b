// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/indexed_rows.hpp"

namespace semblance::numerics {

// Two algorithms for the product of sparse rows, with the same bits; the shapes must fit.

/// Looks up the entries in each sample's columns: good for few samples or few shared columns.
void multiply_by_columns(MatrixView a, const IndexedRows& b, std::size_t first,
                         MutableMatrixView c);

/// Interleaves many samples, one per SIMD lane, and multiplies them by all bases.
void multiply_side_by_side(MatrixView a, const IndexedRows& b, std::size_t first,
                           MutableMatrixView c);

/// Whether the second algorithm is expected to be faster.
bool side_by_side_pays(MatrixView a, const IndexedRows& b, std::size_t first, std::size_t columns);

}  // namespace semblance::numerics
