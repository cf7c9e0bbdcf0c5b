// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"

namespace semblance::numerics {

/// The right-hand rows of products where they are sparse, what PackedRows is for dense ones: kept
/// as they are, and column after column as well. 16 bytes an entry, 8 a row and 8 a column.
class IndexedRows {
 public:
  IndexedRows() = default;
  /// Throws Error where the rows are not sparse, or there are 2^32 of them or more.
  explicit IndexedRows(MatrixView rows);

  std::size_t rows() const noexcept { return rows_.rows; }
  std::size_t cols() const noexcept { return rows_.cols; }

  /// The rows as they were given.
  MatrixView view() const noexcept { return rows_.view(); }

  /// How many entries the rows [first, first + count) have.
  std::size_t entries(std::size_t first, std::size_t count) const noexcept {
    return rows_.offsets[first + count] - rows_.offsets[first];
  }

  /// The entries of a column: which rows they are in, ascending, and their values.
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

/// c = a * b^T in float32 for the rows [first, first + c.cols) of b, a (n x k) sparse as well. On
/// the calling thread alone. Throws Error where the shapes do not fit or `a` is not sparse.
///
/// Each element is the chain of multiply-adds of multiply() without those where a factor is zero,
/// which change nothing: the bits are those of the same rows laid out densely, wherever a row
/// stands in a and in c. All values must be finite: zero times any of them is then zero.
void multiply(MatrixView a, const IndexedRows& b, MutableMatrixView c, std::size_t first = 0);

}  // namespace semblance::numerics
