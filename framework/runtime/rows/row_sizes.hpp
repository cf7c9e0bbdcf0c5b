// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance/source.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// The offsets of rows that differ in size, in values from the first: one more entry than rows.
/// Null: all rows have the same size.
using RowOffsets = std::shared_ptr<const std::vector<std::size_t>>;

/// How many values each of a node's rows has.
struct RowSizes {
  std::size_t cols = 0;  ///< of the largest possible row
  RowOffsets offsets;    ///< of all rows of the data set
  bool sparse = false;   ///< values have columns

  /// The number of values of rows [first, first + count).
  std::size_t values(std::size_t first, std::size_t count) const {
    return offsets ? (*offsets)[first + count] - (*offsets)[first] : count * cols;
  }

  /// Their bytes, including the columns of sparse rows.
  std::size_t bytes(std::size_t first, std::size_t count) const {
    return values(first, count) * (sizeof(float) + (sparse ? sizeof(std::uint32_t) : 0));
  }

  /// Gives `rows` the shape of these rows; its content is lost, its memory is reused.
  void shape(FloatMatrix& rows, std::size_t first, std::size_t count) const;

  /// A matrix for these rows.
  FloatMatrix rows(std::size_t first, std::size_t count) const;

  /// The sizes of some rows alone, counted from the first of them.
  RowSizes of_rows(std::size_t first, std::size_t count) const;
};

/// The sizes of all rows of a data set. Throws Error where one does not fit the layout, since they
/// decide what is written where. Data without training rows are what a model is applied to: their
/// series, strings and sets may be larger than the layout says.
RowSizes sizes_of_source(const Dataset& data, const Layout& layout);

/// The number of rows of `width` values to read at a time: a mebibyte, so that no budget has to
/// count them.
std::size_t rows_at_once(std::size_t width);

}  // namespace semblance
