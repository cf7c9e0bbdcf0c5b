// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "deformable_kernel.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::vectors {

/// The intermediate tiles of similarities of the deformable kernels. Those of the float32 kernel
/// fit into L1 for the paper's displacements.
struct DeformableWorkspace {
  /// Tiles have `tile_size` values.
  DeformableWorkspace(const Deformation& d, std::size_t tile_size)
      : reach(d.rigid + d.local),
        span(2 * reach + 1),
        outer(2 * d.rigid + 1),
        products(span * tile_size),
        row_maxima(span * outer * tile_size),
        sums(outer * outer * tile_size) {
    for (std::size_t l = 0; l <= 2 * d.local; ++l) {
      const float z = static_cast<float>(l) - static_cast<float>(d.local);
      local_costs.push_back(d.local_penalty * z * z);
    }
  }

  std::size_t reach;                   // the reach of a cell in each direction
  std::size_t span;                    // number of displacements in one direction: all,
  std::size_t outer;                   // and rigid ones
  numerics::AlignedBuffer products;    // one tile per displacement along a row of cells
  numerics::AlignedBuffer row_maxima;  // span x outer tiles
  numerics::AlignedBuffer sums;        // outer x outer tiles
  std::vector<float> local_costs;      // one direction's part of the squared displacement
};

/// In one direction: the local displacements that, with rigid displacement z, leave cell `at`
/// inside of the grid, and the best of the zero products of all other displacements.
struct InsideGrid {
  InsideGrid(const DeformableWorkspace& w, std::size_t at, std::size_t z, std::size_t cells)
      : first(at + z < w.reach ? w.reach - at - z : 0),
        last(std::min(w.local_costs.size(),
                      cells + w.reach > at + z ? cells + w.reach - at - z : 0)) {
    for (std::size_t l = 0; l < w.local_costs.size(); ++l)
      if (l < first || l >= last) outside = std::max(outside, 0 - w.local_costs[l]);
  }
  bool none() const { return first >= last; }

  std::size_t first;
  std::size_t last;
  float outside = -std::numeric_limits<float>::infinity();
};

}  // namespace semblance::vectors
