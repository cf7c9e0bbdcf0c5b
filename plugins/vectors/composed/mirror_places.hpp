// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance::vectors {

/// The source positions of the values of a horizontal mirror image; `layout` is a grid or an image.
/// With `hog`, a cell has the 31 values of feature/hog, whose orientations are mirrored as well: 18
/// directed and 9 undirected ones, counted from the horizontal, and the energies of the blocks
/// above left, above right, below left and below right.
std::vector<std::size_t> mirror_places(const Layout& layout, bool hog);

}  // namespace semblance::vectors
