// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "semblance/error.hpp"

namespace semblance::numerics {

/// The regions for pooling: horizontal bands of a grid of cells, as equal in height as whole rows
/// allow, and optionally the whole grid as the last region.
struct PoolingRegions {
  std::size_t rows = 0;  ///< of cells
  std::size_t bands = 1;
  bool whole = false;

  std::size_t count() const noexcept { return bands + (whole ? 1 : 0); }

  /// The first row of a band; the number of rows for `bands`.
  std::size_t first_row(std::size_t band) const noexcept {
    return (band * rows + bands - 1) / bands;
  }

  /// The band that a row of cells belongs to.
  std::size_t band(std::size_t row) const noexcept { return row * bands / rows; }

  void check() const {
    if (bands > rows)
      throw Error("a grid of " + std::to_string(rows) + " rows of cells cannot be split into " +
                  std::to_string(bands) + " bands; lower 'bands'");
  }
};

}  // namespace semblance::numerics
