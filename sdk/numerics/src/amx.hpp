// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/tile_unit.hpp"

namespace semblance::numerics {

/// Asks CPUID for AMX with bf16 and the kernel for the permission; false where there is none.
bool request_amx();

/// Shapes the calling thread's tile registers; the rest must only be called after a successful
/// request_amx(), the products only while configured.
void configure_amx();
void release_amx();
void amx_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);

}  // namespace semblance::numerics
