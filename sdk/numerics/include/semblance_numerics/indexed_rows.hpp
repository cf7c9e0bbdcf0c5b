// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/state.hpp"
#include "semblance_numerics/occurring_columns.hpp"

namespace semblance::numerics {

/// Sparse right-hand rows of products, the counterpart of PackedRows: stored by rows and also by
/// the columns that occur.
class IndexedRows {
 public:
  IndexedRows() = default;
  /// Throws Error if the rows are not sparse or there are 2^32 or more.
  explicit IndexedRows(MatrixView rows);

  std::size_t rows() const noexcept { return rows_.rows; }
  std::size_t cols() const noexcept { return rows_.cols; }

  /// The most bytes that it holds of rows with these numbers of values and columns: 20 per entry
  /// and 16 per column that occurs, of which there are no more than entries.
  static std::size_t bytes(std::size_t values, std::size_t columns) noexcept {
    return 20 * values + 16 * std::min(values, columns);
  }

  /// The original rows.
  MatrixView view() const noexcept { return rows_.view(); }

  /// The columns that occur.
  const OccurringColumns& columns() const noexcept { return columns_; }
  /// The rows with the places of their columns among those that occur.
  MatrixView view_by_place() const noexcept {
    MatrixView view = rows_.view();
    if (!columns_.are_all()) view.columns = places_.data();
    return view;
  }

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
    const std::size_t place = columns_.place(c);
    return place == OccurringColumns::none ? Column{{}, nullptr} : column_at(place);
  }
  Column column_at(std::size_t place) const noexcept {
    return {{numbers_.data() + starts_[place], starts_[place + 1] - starts_[place]},
            values_.data() + starts_[place]};
  }

 private:
  FloatMatrix rows_;
  OccurringColumns columns_;
  std::vector<std::uint32_t> places_;  // of the entries' columns, unless all occur
  std::vector<std::size_t> starts_;    // of the columns, and the number of entries
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
