// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "problem/sweep.hpp"
#include "semblance/context.hpp"

namespace semblance::linear {

/// Whether this rank computes a tile of a lower triangle, one of those that triangle_place()
/// numbers.
bool has_tile(std::size_t number, Context& context) noexcept;

/// Sends every rank the tiles of a lower triangle that it has not computed, one row of tiles at a
/// time. `tile`: the side of a tile. Collective.
template <class T>
void share_tiles(Vectors<T>& matrix, std::size_t tile, Context& context);

}  // namespace semblance::linear
