// SPDX-License-Identifier: MIT
#include "tiles/tiled_product.hpp"

#include "tiles/tile_sums.hpp"

namespace semblance::vectors {

void multiply_group(const TiledRows& left, const TiledRows& right, std::size_t group,
                    const TileUnit& unit, MutableMatrixView out) {
  alignas(64) float sums[block_sums];
  const TileRun run{1, right.steps(), 0, 0};
  for (std::size_t g = 0; g < left.groups(); ++g) {
    unit.products(left.cell(g, 0), right.cell(group, 0), run, sums);
    copy_block(sums, g * block_side, group * block_side, out);
  }
}

}  // namespace semblance::vectors
