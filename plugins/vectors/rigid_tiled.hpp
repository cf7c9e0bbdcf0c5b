// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/tile_unit.hpp"
#include "shifts.hpp"

namespace semblance::vectors {

/// rigid_direct_panel() from bf16 tiles, for the bases of group `group`.
void rigid_tiled_group(const RigidShifts& shifts, const numerics::TiledRows& samples,
                       const numerics::TiledRows& bases, std::size_t group,
                       const numerics::TileUnit& unit, MutableMatrixView out);

}  // namespace semblance::vectors
