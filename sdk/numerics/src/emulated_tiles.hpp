// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/tile_unit.hpp"

namespace semblance::numerics {

/// Tile products in float32 arithmetic, for this CPU's SIMD target.
void emulated_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);

}  // namespace semblance::numerics
