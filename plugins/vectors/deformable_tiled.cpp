// SPDX-License-Identifier: MIT
#include "deformable_tiled.hpp"

#include <algorithm>
#include <limits>

#include "deformable_workspace.hpp"
#include "semblance_numerics/tile_sums.hpp"

namespace semblance::vectors {
namespace {

using numerics::block_sums;

/// The steps of deformable_panel() for one block of samples and one of bases, with a block of sums
/// in place of a tile in registers.
class DeformableBlocks {
 public:
  DeformableBlocks(const Deformation& d, const numerics::TileUnit& unit)
      : d_(d), unit_(unit), w_(d, block_sums) {}

  /// Cells of the two blocks are `cell` values apart.
  void compare(const numerics::Bf16* samples, const numerics::Bf16* bases, std::size_t cell,
               float* best) {
    samples_ = samples;
    bases_ = bases;
    cell_ = cell;
    std::fill_n(w_.sums.data(), w_.sums.size(), 0.0f);
    for (std::size_t row = 0; row < d_.grid.height; ++row)
      for (std::size_t col = 0; col < d_.grid.width; ++col) add_cell(row, col);
    best_displacement(best);
  }

 private:
  void add_cell(std::size_t row, std::size_t col) {
    for (std::size_t dy = 0; dy < w_.span; ++dy) {
      if (row + dy < w_.reach || row + dy - w_.reach >= d_.grid.height) continue;
      row_products(row, col, row + dy - w_.reach);
      row_maxima(col, w_.row_maxima.data() + dy * w_.outer * block_sums);
    }
    add_maxima(row);
  }

  // Products of cell (row, col), which stays, with the cells of row `moved_row`.
  void row_products(std::size_t row, std::size_t col, std::size_t moved_row) {
    const std::size_t width = d_.grid.width, fixed = (row * width + col) * cell_;
    for (std::size_t dx = 0; dx < w_.span; ++dx) {
      if (col + dx < w_.reach || col + dx - w_.reach >= width) continue;
      const std::size_t moved = (moved_row * width + col + dx - w_.reach) * cell_;
      unit_.products(
          samples_ + (d_.basis_moves ? fixed : moved), bases_ + (d_.basis_moves ? moved : fixed),
          {1, cell_ / numerics::block_values, 0, 0}, w_.products.data() + dx * block_sums);
    }
  }

  numerics::Candidates inside(const float* from, std::size_t stride,
                              const InsideGrid& range) const {
    return {from + range.first * stride, stride, w_.local_costs.data() + range.first,
            range.none() ? 0 : range.last - range.first, range.outside};
  }

  void row_maxima(std::size_t col, float* maxima) {
    for (std::size_t x = 0; x < w_.outer; ++x)
      numerics::take_largest(inside(w_.products.data() + x * block_sums, block_sums,
                                    InsideGrid(w_, col, x, d_.grid.width)),
                             maxima + x * block_sums);
  }

  void add_maxima(std::size_t row) {
    for (std::size_t y = 0; y < w_.outer; ++y) {
      const InsideGrid range(w_, row, y, d_.grid.height);
      if (range.none()) continue;  // only zeros, the best of them without displacement
      for (std::size_t i = y * w_.outer; i < (y + 1) * w_.outer; ++i)
        numerics::add_largest(
            inside(w_.row_maxima.data() + i * block_sums, w_.outer * block_sums, range),
            w_.sums.data() + i * block_sums);
    }
  }

  void best_displacement(float* best) const {
    std::fill_n(best, block_sums, -std::numeric_limits<float>::infinity());
    for (std::size_t y = 0; y < w_.outer; ++y)
      for (std::size_t x = 0; x < w_.outer; ++x) {
        const float zy = static_cast<float>(y) - static_cast<float>(d_.rigid);
        const float zx = static_cast<float>(x) - static_cast<float>(d_.rigid);
        numerics::raise(w_.sums.data() + (y * w_.outer + x) * block_sums,
                        d_.penalty * (zy * zy + zx * zx), best);
      }
  }

  const Deformation& d_;
  const numerics::TileUnit& unit_;
  DeformableWorkspace w_;
  const numerics::Bf16* samples_ = nullptr;
  const numerics::Bf16* bases_ = nullptr;
  std::size_t cell_ = 0;
};

}  // namespace

void deformable_tiled_group(const Deformation& deformation, const numerics::TiledRows& samples,
                            const numerics::TiledRows& bases, std::size_t group,
                            const numerics::TileUnit& unit, MutableMatrixView out) {
  DeformableBlocks blocks(deformation, unit);
  alignas(64) float best[block_sums];
  for (std::size_t g = 0; g < samples.groups(); ++g) {
    blocks.compare(samples.cell(g, 0), bases.cell(group, 0), bases.cell_size(), best);
    numerics::copy_block(best, g * numerics::block_side, group * numerics::block_side, out);
  }
}

}  // namespace semblance::vectors
