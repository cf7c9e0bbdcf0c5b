// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace semblance::linear {

/// u of each row: the factor of its losses.
struct RowWeights {
  std::span<const double> of_row = {};  ///< empty: 1 each

  double operator()(std::size_t row) const noexcept { return of_row.empty() ? 1.0 : of_row[row]; }
  /// Whether the row's weight is not 0.
  bool counts(std::size_t row) const noexcept { return of_row.empty() || of_row[row] > 0; }
};

}  // namespace semblance::linear
