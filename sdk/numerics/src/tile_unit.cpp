// SPDX-License-Identifier: MIT
#include "semblance_numerics/tile_unit.hpp"

#include "tile_products.hpp"

namespace semblance::numerics {

bool amx_available() {
  // Permission is requested once and holds for all threads of the process.
  static const bool available = request_amx();
  return available;
}

TileUnit::TileUnit() : TileUnit(amx_available() ? Kind::amx : Kind::emulated) {}

TileUnit::TileUnit(Kind kind)
    : kind_(kind), products_(kind == Kind::amx ? amx_products : emulated_products) {
  if (kind_ == Kind::amx) configure_amx();
}

TileUnit::~TileUnit() {
  if (kind_ == Kind::amx) release_amx();
}

}  // namespace semblance::numerics
