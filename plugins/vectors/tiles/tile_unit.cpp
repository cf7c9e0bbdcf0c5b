// SPDX-License-Identifier: MIT
#include "tiles/tile_unit.hpp"

#include "tiles/tile_products.hpp"

namespace semblance::vectors {

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

}  // namespace semblance::vectors
