// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"
#include "semblance/row_error.hpp"

/// Checks of the base classes for components that work on single rows, and their messages.
namespace semblance::row_checks {

/// Without a branch per value, so that it is vectorized.
inline bool all_finite(std::span<const float> values) noexcept {
  int finite = 1;
  for (const float x : values) finite &= std::abs(x) <= std::numeric_limits<float>::max();
  return finite != 0;
}

/// The index of the first value that is not finite; values.size() if all are finite.
inline std::size_t first_not_finite(std::span<const float> values) noexcept {
  const auto found = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
  return static_cast<std::size_t>(found - values.begin());
}

/// "is not a number" or "is infinite"
inline std::string is_what(float value) {
  return std::isnan(value) ? "is not a number" : "is infinite";
}

/// Refuses rows that are not samples of the layout. New series, strings and sets may be larger than
/// it says.
inline void check_rows(MatrixView rows, const Layout& layout, RowError::Of of) {
  const bool sparse = layout.kind == LayoutKind::sparse;
  if (rows.cols != layout.size() || rows.ragged() != layout.ragged() || rows.sparse() != sparse)
    throw Error("cannot compare rows of " + std::string(rows.ragged() ? "up to " : "") +
                std::to_string(rows.cols) + " values with samples that are each a " +
                describe(layout) + "; both must come from the same features");
  if (!rows.ragged() || sparse) return;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::size_t size = rows.size(i);
    if (size > 0 && size % layout.depth == 0) continue;
    throw RowError(
        of, i, "",
        " (counted from 0) " +
            (size == 0 ? "is empty; remove it"
                       : "has " + std::to_string(size) + " values and is no " + describe(layout)));
  }
}

/// Refuses sparse samples: a comparison of two rows' values would ignore their columns.
inline void refuse_sparse(const Layout& layout) {
  if (layout.kind != LayoutKind::sparse) return;
  throw Error("the samples, each a " + describe(layout) +
              ", have no values where they are 0, and this measure compares rows value by value; "
              "put feature/dense before it, or use similarity/linear, rbf, polynomial or cosine");
}

}  // namespace semblance::row_checks
