// SPDX-License-Identifier: MIT
#pragma once

#include "deformable_kernel.hpp"
#include "semblance_numerics/tile_unit.hpp"

namespace semblance::vectors {

/// deformable_panel() from bf16 tiles, for the bases of group `group`.
void deformable_tiled_group(const Deformation& deformation, const numerics::TiledRows& samples,
                            const numerics::TiledRows& bases, std::size_t group,
                            const numerics::TileUnit& unit, MutableMatrixView out);

}  // namespace semblance::vectors
