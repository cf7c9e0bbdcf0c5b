// SPDX-License-Identifier: MIT
#pragma once

#include "tiles/tile_unit.hpp"

namespace semblance::vectors {

/// out(i, j) = <left row i, right row j> for the right rows of group `group`; each row is one cell.
/// `out` has one column per right row.
void multiply_group(const TiledRows& left, const TiledRows& right, std::size_t group,
                    const TileUnit& unit, MutableMatrixView out);

}  // namespace semblance::vectors
