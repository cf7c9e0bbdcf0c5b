// SPDX-License-Identifier: MIT
#include "deformable_kernel.hpp"

#include <algorithm>

#include "numerics/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "deformable_kernel.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "numerics/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace semblance {
namespace HWY_NAMESPACE {

namespace tiles = numerics::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using tiles::FloatTag;
using tiles::FloatVec;
using tiles::tile_rows;
using tiles::tile_size;
using tiles::tile_width;

HWY_NOINLINE void cell_product(const float* a, const float* b, std::size_t depth, float* product) {
  tiles::Tile t;
  tiles::clear(t, tiles::TileRows());
  tiles::add_products(a, b, depth, t);
  tiles::store(t, product, tile_width, tiles::TileRows());
}

// The products of one fixed cell with all cells that any displacement reaches: each is computed
// once for the tile, however many pairs (zR, zL) lead to it. Outside of the grid they are zero.
void cell_products(const Deformation& d, std::size_t row, std::size_t col, const float* a,
                   const float* b, float* products) {
  const auto [height, width, depth] = d.grid;
  const std::size_t reach = d.rigid + d.local;
  const std::size_t fixed = (row * width + col) * depth;
  for (std::size_t dy = 0; dy <= 2 * reach; ++dy)
    for (std::size_t dx = 0; dx <= 2 * reach; ++dx, products += tile_size) {
      const bool inside = row + dy >= reach && row + dy - reach < height && col + dx >= reach &&
                          col + dx - reach < width;
      if (!inside) {
        std::fill_n(products, tile_size, 0.0f);
        continue;
      }
      const std::size_t moved = ((row + dy - reach) * width + col + dx - reach) * depth;
      cell_product(a + (d.basis_moves ? fixed : moved) * tile_rows,
                   b + (d.basis_moves ? moved : fixed) * tile_width, depth, products);
    }
}

HWY_INLINE FloatVec local_cost(const Deformation& d, std::size_t displacement) {
  const auto z = static_cast<float>(displacement) - static_cast<float>(d.local);
  return hn::Set(FloatTag(), d.local_penalty * z * z);
}

// sums[zR] += max over zL: first along the rows of products, then along their columns; the
// squared displacement is the sum of both directions', so its weight separates too.
void add_local_maxima(const Deformation& d, const float* products, float* row_maxima, float* sums) {
  const FloatTag tag;
  const std::size_t span = 2 * (d.rigid + d.local) + 1, outer = 2 * d.rigid + 1;
  const std::size_t inner = 2 * d.local + 1;
  for (std::size_t i = 0; i < tile_size; i += tiles::lanes) {
    for (std::size_t y = 0; y < span; ++y)
      for (std::size_t x = 0; x < outer; ++x) {
        const float* first = products + (y * span + x) * tile_size + i;
        auto top = hn::Sub(hn::Load(tag, first), local_cost(d, 0));
        for (std::size_t l = 1; l < inner; ++l)
          top = hn::Max(top, hn::Sub(hn::Load(tag, first + l * tile_size), local_cost(d, l)));
        hn::Store(top, tag, row_maxima + (y * outer + x) * tiles::lanes);
      }
    for (std::size_t y = 0; y < outer; ++y)
      for (std::size_t x = 0; x < outer; ++x) {
        const float* first = row_maxima + (y * outer + x) * tiles::lanes;
        auto top = hn::Sub(hn::Load(tag, first), local_cost(d, 0));
        for (std::size_t l = 1; l < inner; ++l)
          top = hn::Max(top,
                        hn::Sub(hn::Load(tag, first + l * outer * tiles::lanes), local_cost(d, l)));
        float* sum = sums + (y * outer + x) * tile_size + i;
        hn::Store(hn::Add(hn::Load(tag, sum), top), tag, sum);
      }
  }
}

void take_maximum(const Deformation& d, const float* sums, float* best) {
  const FloatTag tag;
  const std::size_t outer = 2 * d.rigid + 1;
  for (std::size_t i = 0; i < tile_size; i += tiles::lanes) {
    auto top = hn::Set(tag, -std::numeric_limits<float>::infinity());
    for (std::size_t y = 0; y < outer; ++y)
      for (std::size_t x = 0; x < outer; ++x) {
        const auto zy = static_cast<float>(y) - static_cast<float>(d.rigid);
        const auto zx = static_cast<float>(x) - static_cast<float>(d.rigid);
        const auto cost = hn::Set(tag, d.penalty * (zy * zy + zx * zx));
        top = hn::Max(top, hn::Sub(hn::Load(tag, sums + (y * outer + x) * tile_size + i), cost));
      }
    hn::Store(top, tag, best + i);
  }
}

void deformable_panel(const Deformation& d, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out) {
  const std::size_t first = panel * tile_width;
  const std::size_t cols = std::min(tile_width, bases.rows() - first);
  const std::size_t span = 2 * (d.rigid + d.local) + 1, outer = 2 * d.rigid + 1;
  numerics::AlignedBuffer products(span * span * tile_size), sums(outer * outer * tile_size);
  numerics::AlignedBuffer row_maxima(span * outer * tiles::lanes);
  HWY_ALIGN float best[tile_size];
  for (std::size_t g = 0; g < block.groups(); ++g) {
    std::fill_n(sums.data(), sums.size(), 0.0f);
    for (std::size_t row = 0; row < d.grid.height; ++row)
      for (std::size_t col = 0; col < d.grid.width; ++col) {
        cell_products(d, row, col, block.group(g), bases.panel(panel), products.data());
        add_local_maxima(d, products.data(), row_maxima.data(), sums.data());
      }
    take_maximum(d, sums.data(), best);
    const std::size_t row = g * tile_rows;
    tiles::copy_part(best, std::min(tile_rows, block.rows() - row), cols, out.row(row) + first,
                     out.stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace semblance
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace semblance {

HWY_EXPORT(deformable_panel);

void deformable_panel(const Deformation& deformation, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out) {
  HWY_DYNAMIC_DISPATCH(deformable_panel)(deformation, block, bases, panel, out);
}

}  // namespace semblance
#endif
