// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/tile_unit.hpp"

namespace semblance::numerics {

/// out(i, j) = <left row i, right row j> for the right rows of group `group`; rows are one cell
/// each. `out` has all right rows as columns.
void multiply_group(const TiledRows& left, const TiledRows& right, std::size_t group,
                    const TileUnit& unit, MutableMatrixView out);

}  // namespace semblance::numerics
