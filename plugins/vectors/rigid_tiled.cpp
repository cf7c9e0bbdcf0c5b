// SPDX-License-Identifier: MIT
#include <algorithm>

#include "rigid_methods.hpp"
#include "semblance_numerics/tile_sums.hpp"

namespace semblance::vectors {
namespace {

using numerics::block_sums;

// In one direction: displacement z = d - reach pairs `count` cells of a base, from `base` on, with
// the sample's from `sample` on.
struct CellOverlap {
  CellOverlap(std::size_t cells, std::size_t reach, std::size_t d)
      : base(d < reach ? reach - d : 0),
        sample(d < reach ? 0 : d - reach),
        count(cells - std::max(base, sample)) {}
  std::size_t base;
  std::size_t sample;
  std::size_t count;
};

}  // namespace

// A displacement is one run over the rows of cells: its sums stay in the tile registers until they
// are complete.
void rigid_tiled_group(const RigidShifts& shifts, const numerics::TiledRows& samples,
                       const numerics::TiledRows& bases, std::size_t group,
                       const numerics::TileUnit& unit, MutableMatrixView out) {
  const CellGrid& grid = shifts.grid;
  const std::size_t row = grid.width * bases.cell_size();
  alignas(64) float sums[block_sums];
  alignas(64) float best[block_sums];
  for (std::size_t g = 0; g < samples.groups(); ++g) {
    std::fill_n(best, block_sums, shifts.floor);
    for (std::size_t dy = 0; dy <= 2 * shifts.rows; ++dy)
      for (std::size_t dx = 0; dx <= 2 * shifts.cols; ++dx) {
        const CellOverlap y(grid.height, shifts.rows, dy), x(grid.width, shifts.cols, dx);
        unit.products(samples.cell(g, y.sample * grid.width + x.sample),
                      bases.cell(group, y.base * grid.width + x.base),
                      {y.count, x.count * bases.steps(), row, row}, sums);
        numerics::raise(sums, shifts.cost(dy, dx), best);
      }
    numerics::copy_block(best, g * numerics::block_side, group * numerics::block_side, out);
  }
}

}  // namespace semblance::vectors
