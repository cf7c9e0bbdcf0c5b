// SPDX-License-Identifier: MIT
#include "deformable_kernel.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "deformable_workspace.hpp"
#include "semblance_numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "deformable_kernel.cpp"
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

// The cell that stays, and the packed values of the samples and the bases.
struct FixedCell {
  const float* a;
  const float* b;
  std::size_t row;
  std::size_t col;
};

// Products of the fixed cell with the cells of one row, a tile a displacement along the row; only
// those inside of the grid.
HWY_NOINLINE void row_products(const Deformation& d, const FixedCell& cell, std::size_t row,
                               DeformableWorkspace& w) {
  const std::size_t depth = d.grid.depth, width = d.grid.width;
  const std::size_t fixed = (cell.row * width + cell.col) * depth;
  for (std::size_t dx = 0; dx < w.span; ++dx) {
    if (cell.col + dx < w.reach || cell.col + dx - w.reach >= width) continue;
    const std::size_t moved = (row * width + cell.col + dx - w.reach) * depth;
    tiles::Tile t;
    tiles::clear(t, every_row);
    tiles::add_products(cell.a + (d.basis_moves ? fixed : moved) * tile_rows,
                        cell.b + (d.basis_moves ? moved : fixed) * tile_width, depth, t);
    tiles::store(t, w.products.data() + dx * tile_size, tile_width, every_row);
  }
}

// t = max over local displacements l of the stored tiles from + l step, minus their costs, and of
// the products outside.
HWY_INLINE void local_maximum(const float* from, std::size_t step, const InsideGrid& inside,
                              const std::vector<float>& costs, tiles::Tile& t) {
  tiles::fill(inside.outside, t, every_row);
  for (std::size_t l = inside.first; l < inside.last; ++l)
    tiles::maximum(from + l * step, costs[l], t, every_row);
}

// The maxima along one row of cells, for each rigid displacement along it.
HWY_NOINLINE void row_maxima(const DeformableWorkspace& w, std::size_t col, std::size_t width,
                             float* maxima) {
  for (std::size_t x = 0; x < w.outer; ++x) {
    tiles::Tile t;
    local_maximum(w.products.data() + x * tile_size, tile_size, InsideGrid(w, col, x, width),
                  w.local_costs, t);
    tiles::store(t, maxima + x * tile_size, tile_width, every_row);
  }
}

// The maxima across rows, added to each rigid displacement's sum over cells.
HWY_NOINLINE void add_maxima(std::size_t row, std::size_t height, DeformableWorkspace& w) {
  const std::size_t tiles_a_row = w.outer * tile_size;
  for (std::size_t y = 0; y < w.outer; ++y) {
    const InsideGrid inside(w, row, y, height);
    if (inside.none()) continue;  // only zeros, the best of them without displacement
    for (std::size_t i = y * w.outer; i < (y + 1) * w.outer; ++i) {
      tiles::Tile t;
      local_maximum(w.row_maxima.data() + i * tile_size, tiles_a_row, inside, w.local_costs, t);
      tiles::add(w.sums.data() + i * tile_size, t, every_row);
      tiles::store(t, w.sums.data() + i * tile_size, tile_width, every_row);
    }
  }
}

// A fixed cell's products are computed once for the tile, for all pairs (zR, zL) that lead to them.
// Measured on one Zen 3 core with 2500 bases: 0.86 of sgemm for 8x8x31 and (zR, zL) up to (0, 1),
// 0.73 up to (2, 1), where the maxima weigh more. The maximum over zL is taken along rows, then
// across them: its cost is a sum of both directions' parts.
void add_cell(const Deformation& d, const FixedCell& cell, DeformableWorkspace& w) {
  for (std::size_t dy = 0; dy < w.span; ++dy) {
    if (cell.row + dy < w.reach || cell.row + dy - w.reach >= d.grid.height) continue;
    row_products(d, cell, cell.row + dy - w.reach, w);
    row_maxima(w, cell.col, d.grid.width, w.row_maxima.data() + dy * w.outer * tile_size);
  }
  add_maxima(cell.row, d.grid.height, w);
}

HWY_NOINLINE void best_displacement(const Deformation& d, const DeformableWorkspace& w,
                                    float* best) {
  tiles::Tile t;
  tiles::fill(-std::numeric_limits<float>::infinity(), t, every_row);
  for (std::size_t y = 0; y < w.outer; ++y)
    for (std::size_t x = 0; x < w.outer; ++x) {
      const float zy = static_cast<float>(y) - static_cast<float>(d.rigid);
      const float zx = static_cast<float>(x) - static_cast<float>(d.rigid);
      tiles::maximum(w.sums.data() + (y * w.outer + x) * tile_size, d.penalty * (zy * zy + zx * zx),
                     t, every_row);
    }
  tiles::store(t, best, tile_width, every_row);
}

void deformable_panel(const Deformation& d, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out) {
  const std::size_t first = panel * tile_width;
  const std::size_t cols = std::min(tile_width, bases.rows() - first);
  DeformableWorkspace w(d, tile_size);
  HWY_ALIGN float best[tile_size];
  for (std::size_t g = 0; g < block.groups(); ++g) {
    std::fill_n(w.sums.data(), w.sums.size(), 0.0f);
    for (std::size_t row = 0; row < d.grid.height; ++row)
      for (std::size_t col = 0; col < d.grid.width; ++col)
        add_cell(d, {block.group(g), bases.panel(panel), row, col}, w);
    best_displacement(d, w, best);
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
