// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "grids/deformable_kernel.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "tiles/tile_sums.hpp"

namespace semblance::vectors {

/// The deformable similarity of some samples and bases, in tiles of sums: one element for each pair
/// of them. `Tiles` has
///   size                               values of a tile
///   products(sample, base, to)         the inner products of two cells, by their numbers
///   take_largest(candidates, to)       and the other functions of tile_sums.hpp, for its tiles
///   add_largest(candidates, sums)
///   raise(sums, cost, best)
/// A cell's products are computed once, for all pairs (zR, zL) that lead to them. The maximum over
/// zL is taken along rows, then across them: its cost is a sum of both directions' parts.
template <class Tiles>
class DeformableSteps {
 public:
  explicit DeformableSteps(const Deformation& d)
      : d_(d),
        reach_(d.rigid + d.local),
        span_(2 * reach_ + 1),
        outer_(2 * d.rigid + 1),
        products_(span_ * Tiles::size),
        row_maxima_(span_ * outer_ * Tiles::size),
        sums_(outer_ * outer_ * Tiles::size) {
    for (std::size_t l = 0; l <= 2 * d.local; ++l) {
      const float z = static_cast<float>(l) - static_cast<float>(d.local);
      local_costs_.push_back(d.local_penalty * z * z);
    }
  }

  void compare(const Tiles& tiles, float* best) {
    std::fill_n(sums_.data(), sums_.size(), 0.0f);
    for (std::size_t row = 0; row < d_.grid.height; ++row)
      for (std::size_t col = 0; col < d_.grid.width; ++col) add_cell(tiles, row, col);
    std::fill_n(best, Tiles::size, -std::numeric_limits<float>::infinity());
    for (std::size_t y = 0; y < outer_; ++y)
      for (std::size_t x = 0; x < outer_; ++x) {
        const float zy = static_cast<float>(y) - static_cast<float>(d_.rigid);
        const float zx = static_cast<float>(x) - static_cast<float>(d_.rigid);
        tiles.raise(sums_.data() + (y * outer_ + x) * Tiles::size, d_.penalty * (zy * zy + zx * zx),
                    best);
      }
  }

 private:
  /// Adds the maxima of a cell that stays.
  void add_cell(const Tiles& tiles, std::size_t row, std::size_t col) {
    for (std::size_t dy = 0; dy < span_; ++dy) {
      if (row + dy < reach_ || row + dy - reach_ >= d_.grid.height) continue;
      multiply_row(tiles, row * d_.grid.width + col, col, row + dy - reach_);
      for (std::size_t x = 0; x < outer_; ++x)
        tiles.take_largest(
            inside(products_.data() + x * Tiles::size, Tiles::size, col, x, d_.grid.width),
            row_maxima_.data() + (dy * outer_ + x) * Tiles::size);
    }
    for (std::size_t y = 0; y < outer_; ++y)
      for (std::size_t i = y * outer_; i < (y + 1) * outer_; ++i) {
        const auto candidates = inside(row_maxima_.data() + i * Tiles::size, outer_ * Tiles::size,
                                       row, y, d_.grid.height);
        // Without any there are only zeros, the best of them without displacement.
        if (candidates.count > 0) tiles.add_largest(candidates, sums_.data() + i * Tiles::size);
      }
  }

  /// Products of the cell that stays with those of a row, one per displacement along it.
  void multiply_row(const Tiles& tiles, std::size_t fixed, std::size_t col, std::size_t row) {
    for (std::size_t dx = 0; dx < span_; ++dx) {
      if (col + dx < reach_ || col + dx - reach_ >= d_.grid.width) continue;
      std::size_t sample = row * d_.grid.width + col + dx - reach_, base = fixed;
      if (d_.basis_moves) std::swap(sample, base);
      tiles.products(sample, base, products_.data() + dx * Tiles::size);
    }
  }

  /// In one direction: the tiles of the local displacements that, with rigid displacement z, leave
  /// cell `at` inside of the grid, and the best of the zero products of all others.
  Candidates inside(const float* from, std::size_t stride, std::size_t at, std::size_t z,
                    std::size_t cells) const {
    const std::size_t first = at + z < reach_ ? reach_ - at - z : 0;
    const std::size_t last = std::min(
        local_costs_.size(), cells + reach_ > at + z ? cells + reach_ - at - z : std::size_t{0});
    float outside = -std::numeric_limits<float>::infinity();
    for (std::size_t l = 0; l < local_costs_.size(); ++l)
      if (l < first || l >= last) outside = std::max(outside, 0 - local_costs_[l]);
    return {from + first * stride, stride, local_costs_.data() + first,
            first < last ? last - first : 0, outside};
  }

  const Deformation& d_;
  std::size_t reach_;                   // of a cell in each direction
  std::size_t span_;                    // displacements in one direction: all,
  std::size_t outer_;                   // and rigid ones
  numerics::AlignedBuffer products_;    // one tile per displacement along a row of cells
  numerics::AlignedBuffer row_maxima_;  // span x outer tiles
  numerics::AlignedBuffer sums_;        // outer x outer tiles
  std::vector<float> local_costs_;      // one direction's part of the squared displacement
};

}  // namespace semblance::vectors
