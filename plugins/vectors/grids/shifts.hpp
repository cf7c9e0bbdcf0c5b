// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "semblance/error.hpp"
#include "semblance/layout.hpp"

namespace semblance::vectors {

/// A grid of cells, each with `depth` contiguous values; columns before rows.
struct CellGrid {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t depth = 0;

  CellGrid() = default;
  CellGrid(std::size_t rows, std::size_t columns, std::size_t values)
      : height(rows), width(columns), depth(values) {}

  /// Throws Error if the samples are not grids of cells.
  explicit CellGrid(const Layout& layout) : CellGrid(layout.height, layout.width, layout.depth) {
    if (layout.kind != LayoutKind::grid)
      throw Error("the cells to displace must be a grid, not a " + describe(layout) +
                  "; use features that are grids of cells, such as feature/hog");
  }
};

/// In one direction: the number of pairs (cell, cell + displacement) inside a grid of `cells`
/// cells, over all displacements of at most `reach` cells.
inline std::size_t pairs_inside(std::size_t cells, std::size_t reach) {
  std::size_t pairs = cells;
  for (std::size_t d = 1; d <= std::min(reach, cells - 1); ++d) pairs += 2 * (cells - d);
  return pairs;
}

/// The rigid similarity's displacements, divided into those with overlapping cells and those
/// without, whose products are all zero.
struct RigidShifts {
  CellGrid grid;
  std::size_t rows = 0;  ///< overlapping displacements go from -rows to rows
  std::size_t cols = 0;
  float penalty = 0;  ///< subtracted, times the squared displacement
  /// The best similarity of displacements without any overlap; -inf if there are none.
  float floor = -std::numeric_limits<float>::infinity();

  RigidShifts() = default;
  RigidShifts(CellGrid cells, std::size_t reach, float weight)
      : grid(cells),
        rows(std::min(reach, cells.height - 1)),
        cols(std::min(reach, cells.width - 1)),
        penalty(weight) {
    const std::size_t nearest = std::min(cells.height, cells.width);
    if (reach >= nearest) floor = 0 - weight * static_cast<float>(nearest * nearest);
  }

  std::size_t count() const noexcept { return (2 * rows + 1) * (2 * cols + 1); }

  /// The penalty of displacement (dy - rows, dx - cols).
  float cost(std::size_t dy, std::size_t dx) const noexcept {
    const auto y = static_cast<float>(dy) - static_cast<float>(rows);
    const auto x = static_cast<float>(dx) - static_cast<float>(cols);
    return penalty * (y * y + x * x);
  }
};

}  // namespace semblance::vectors
