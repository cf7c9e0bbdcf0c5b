// SPDX-License-Identifier: MIT
#include "measures/series_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/row_error.hpp"

namespace semblance::series {

void check_series(MatrixView rows, const Layout& layout, RowError::Of of) {
  if (rows.cols != layout.size() || !rows.ragged())
    throw Error("cannot compare rows of up to " + std::to_string(rows.cols) +
                " values with samples that are each a " + describe(layout) +
                "; both must come from the same features");
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

void check_finite(MatrixView series, const Layout& layout, RowError::Of of) {
  for (std::size_t i = 0; i < series.rows; ++i) {
    const auto row = series.row_span(i);
    int finite = 1;
    for (const float x : row) finite &= std::abs(x) <= std::numeric_limits<float>::max();
    if (finite != 0) continue;
    const auto found = std::ranges::find_if_not(row, [](float x) { return std::isfinite(x); });
    const auto at = static_cast<std::size_t>(found - row.begin());
    throw RowError(of, i, "step " + std::to_string(at / layout.depth) + " of ",
                   std::string(" (both counted from 0) ") +
                       (std::isnan(*found) ? "is not a number" : "is infinite") +
                       "; remove or interpolate missing values");
  }
}

}  // namespace semblance::series
