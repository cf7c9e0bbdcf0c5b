// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/matrix.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// c = a * b^T in float32: a (n x k), b packed (m x k), c (n x m). On the calling thread alone.
/// Zeros on the left are skipped where there are many.
///
/// Each element is one chain of multiply-adds in the order of k, so a row of c has the same bits
/// wherever the row stands in a, and on every CPU with fused multiply-add.
void multiply(MatrixView a, const PackedRows& b, MutableMatrixView c);

/// The same bits for the rows [first, first + c.cols) of b alone.
void multiply(MatrixView a, const PackedRows& b, std::size_t first, MutableMatrixView c);

/// Left rows of products with several packed matrices: rearranged, and their zeros counted, once.
/// What they are made of must outlive them.
class LeftRows {
 public:
  explicit LeftRows(MatrixView rows);

  MatrixView rows() const noexcept { return rows_; }
  bool sparse() const noexcept { return sparse_; }
  const PackedBlock& packed() const noexcept { return packed_; }  ///< unless sparse()

 private:
  MatrixView rows_;
  bool sparse_;
  PackedBlock packed_;
};

/// The same bits again.
void multiply(const LeftRows& a, const PackedRows& b, MutableMatrixView c);

/// norms[i] = |row i|^2, summed like an element of multiply(): equal to it where a row meets
/// itself.
void squared_norms(MatrixView rows, float* norms);

}  // namespace semblance::numerics
