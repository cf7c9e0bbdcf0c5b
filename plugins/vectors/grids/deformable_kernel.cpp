// SPDX-License-Identifier: MIT
#include "grids/deformable_kernel.hpp"

#include <algorithm>

#include "grids/deformable_steps.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grids/deformable_kernel.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "semblance_numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance::vectors {
namespace HWY_NAMESPACE {

namespace tiles = numerics::HWY_NAMESPACE;
using tiles::tile_rows;
using tiles::tile_size;
using tiles::tile_width;
constexpr tiles::TileRows every_row;

/// Tiles in registers, from packed values. Measured on one Zen 3 core with 2500 bases: 0.86 of
/// sgemm for 8x8x31 and (zR, zL) up to (0, 1), 0.73 up to (2, 1), where the maxima weigh more.
struct PackedTiles {
  static constexpr std::size_t size = tile_size;
  const float* samples;
  const float* bases;
  std::size_t depth;

  HWY_NOINLINE void products(std::size_t sample, std::size_t base, float* to) const {
    tiles::Tile t;
    tiles::clear(t, every_row);
    tiles::add_products(samples + sample * depth * tile_rows, bases + base * depth * tile_width,
                        depth, t);
    tiles::store(t, to, tile_width, every_row);
  }
  static HWY_INLINE void largest(const Candidates& c, tiles::Tile& t) {
    tiles::fill(c.floor, t, every_row);
    for (std::size_t l = 0; l < c.count; ++l)
      tiles::maximum(c.first + l * c.stride, c.costs[l], t, every_row);
  }
  static HWY_NOINLINE void take_largest(const Candidates& c, float* to) {
    tiles::Tile t;
    largest(c, t);
    tiles::store(t, to, tile_width, every_row);
  }
  static HWY_NOINLINE void add_largest(const Candidates& c, float* sums) {
    tiles::Tile t;
    largest(c, t);
    tiles::add(sums, t, every_row);
    tiles::store(t, sums, tile_width, every_row);
  }
  static HWY_NOINLINE void raise(const float* sums, float cost, float* best) {
    tiles::Tile t;
    tiles::load(best, tile_width, t, every_row);
    tiles::maximum(sums, cost, t, every_row);
    tiles::store(t, best, tile_width, every_row);
  }
};

void deformable_panel(const Deformation& d, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out) {
  const std::size_t first = panel * tile_width;
  const std::size_t cols = std::min(tile_width, bases.rows() - first);
  DeformableSteps<PackedTiles> steps(d);
  HWY_ALIGN float best[tile_size];
  for (std::size_t g = 0; g < block.groups(); ++g) {
    steps.compare({block.group(g), bases.panel(panel), d.grid.depth}, best);
    const std::size_t row = g * tile_rows;
    tiles::copy_part(best, std::min(tile_rows, block.rows() - row), cols, out.row(row) + first,
                     out.stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance::vectors
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance::vectors {

HWY_EXPORT(deformable_panel);

void deformable_panel(const Deformation& deformation, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out) {
  HWY_DYNAMIC_DISPATCH(deformable_panel)(deformation, block, bases, panel, out);
}

}  // namespace semblance::vectors
#endif
