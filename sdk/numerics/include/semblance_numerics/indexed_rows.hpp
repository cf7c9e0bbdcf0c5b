// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

namespace semblance::numerics {

/// Sparse right-hand rows of products, the counterpart of PackedRows: stored by rows and also by
/// columns. 16 bytes per entry, 8 per row and 8 per column.
class IndexedRows {
 public:
  IndexedRows() = default;
  /// Throws Error if the rows are not sparse or there are 2^32 or more.
  explicit IndexedRows(MatrixView rows);

  std::size_t rows() const noexcept { return rows_.rows; }
  std::size_t cols() const noexcept { return rows_.cols; }

  /// The original rows.
  MatrixView view() const noexcept { return rows_.view(); }

  /// The number of entries in rows [first, first + count).
  std::size_t entries(std::size_t first, std::size_t count) const noexcept {
    return rows_.offsets[first + count] - rows_.offsets[first];
  }

  /// The entries of a column: their rows, ascending, and their values.
  struct Column {
    std::span<const std::uint32_t> rows;
    const float* values;
  };
  Column column(std::size_t c) const noexcept {
    return {{numbers_.data() + starts_[c], starts_[c + 1] - starts_[c]},
            values_.data() + starts_[c]};
  }

 private:
  FloatMatrix rows_;
  std::vector<std::size_t> starts_;  // of the columns, and the number of entries
  std::vector<std::uint32_t> numbers_;
  std::vector<float> values_;
};

/// c = a * b^T in float32 for the rows [first, first + c.cols) of b, a (n x k) sparse as well. Runs
/// on the calling thread only. Throws Error if the shapes do not fit or `a` is not sparse.
///
/// Each element is the chain of multiply-adds of multiply() without those with a zero factor, which
/// change nothing. So the bits are those of the same rows in dense form, at any position in a and
/// in c. All values must be finite, so that zero times any value is zero.
void multiply(MatrixView a, const IndexedRows& b, MutableMatrixView c, std::size_t first = 0);

}  // namespace semblance::numerics
