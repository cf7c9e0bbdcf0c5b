// SPDX-License-Identifier: MIT
#pragma once

#include "tiles/tile_unit.hpp"

/// The two implementations of TileProducts.
namespace semblance::vectors {

/// In float32 arithmetic, for this CPU's SIMD target.
void emulated_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);

/// Checks CPUID for AMX with bf16 and requests permission from the kernel; false if either fails.
bool request_amx();

/// Configures the calling thread's tile registers. Requires a successful request_amx(), as do
/// release_amx() and amx_products(); products require configured registers.
void configure_amx();
void release_amx();
void amx_products(const Bf16* left, const Bf16* right, const TileRun& run, float* sums);

}  // namespace semblance::vectors
