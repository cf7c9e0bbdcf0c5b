// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/layout.hpp"
#include "semblance/matrix.hpp"

namespace semblance::vectors {

/// A displacement z of a whole grid or image, in cells or pixels.
struct Displacement {
  std::int64_t y = 0;
  std::int64_t x = 0;

  std::int64_t squared_length() const noexcept { return y * y + x * x; }
  bool operator==(const Displacement&) const = default;
};

/// All displacements of at most `reach` in each direction that give different samples, the shortest
/// first; among those that leave nothing inside, only the shortest.
std::vector<Displacement> displacements(const Layout& layout, std::int64_t reach);

/// moved(i)(c) = row i (c + z), zero if c + z is outside; `layout` is a grid or an image.
void displace(MatrixView rows, const Layout& layout, Displacement z, MutableMatrixView moved);

}  // namespace semblance::vectors
