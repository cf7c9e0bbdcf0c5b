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

/// Where rows that differ in size begin, in values counted from the first: one entry more than
/// there are rows. Null: all rows are of one size.
using RowOffsets = std::shared_ptr<const std::vector<std::size_t>>;

/// How many values each of a node's rows has.
struct RowSizes {
  std::size_t cols = 0;  ///< of the largest that there may be
  RowOffsets offsets;    ///< of all rows of the data set
  bool sparse = false;   ///< values have columns

  /// How many values rows [first, first + count) have together.
  std::size_t values(std::size_t first, std::size_t count) const {
    return offsets ? (*offsets)[first + count] - (*offsets)[first] : count * cols;
  }

  /// What they take, the columns of sparse rows included.
  std::size_t bytes(std::size_t first, std::size_t count) const {
    return values(first, count) * (sizeof(float) + (sparse ? sizeof(std::uint32_t) : 0));
  }

  /// Gives `rows` the shape of these rows; what it held is lost, its memory is used again.
  void shape(FloatMatrix& rows, std::size_t first, std::size_t count) const;

  /// A matrix for these rows.
  FloatMatrix rows(std::size_t first, std::size_t count) const;

  /// Those of some rows alone, counted from the first of them.
  RowSizes of_rows(std::size_t first, std::size_t count) const;
};

/// The sizes of all rows of a data set. Throws Error where one does not fit the layout, since they
/// decide what is written where.
RowSizes sizes_of_source(const Dataset& data, const Layout& layout);

}  // namespace semblance
