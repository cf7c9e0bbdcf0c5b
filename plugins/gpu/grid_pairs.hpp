// SPDX-License-Identifier: MIT
#pragma once

namespace semblance::gpu {

/// A block of `grid_pair_threads` threads compares grid_pair_bases bases with grid_pair_rows rows,
/// grid_pair_slice values of a cell at a time.
constexpr unsigned grid_pair_threads = 128;
constexpr unsigned grid_pair_bases = 128, grid_pair_rows = 64, grid_pair_slice = 8;

/// The argument of the kernels deformable_grids and rigid_grids in grid_pairs.cu:
/// out(i, j) = max over z of sum over c of max over l of <base first + j (c), row i (c + z + l)>
///             - local_penalty |l|^2 - penalty |z|^2,
/// where z is at most `shift` and l at most `local` in each direction; cells outside of the grid
/// are zero, and so are their products, which take part in the maxima. Bases and rows are as
/// packed_grids wrote them: value k of cell c of row i is at (c slices grid_pair_slice + k) width +
/// i.
struct GridPairs {
  const float* bases = nullptr;
  const float* rows = nullptr;
  float* out = nullptr;
  unsigned long long out_stride = 0;
  unsigned bases_width = 0, rows_width = 0;  ///< multiples of the tiles' sides
  unsigned first = 0, count = 0;             ///< of the bases
  unsigned rows_count = 0;
  int height = 1, width = 1;  ///< of a grid, in cells
  unsigned slices = 1;        ///< of a cell
  /// The largest z that leaves the grid in reach of its cells, in each direction.
  int reach_rows = 0, reach_cols = 0;
  int local = 0;
  float penalty = 0, local_penalty = 0;
  float floor = 0;      ///< the best value of all other z; -inf: there are none
  int basis_moves = 0;  ///< the basis's cells are those at c + z + l
};

/// The argument of packed_grids: turns rows of `cells` x `depth` values into the order of
/// GridPairs; what is added is zero.
struct PackedGrids {
  const float* from = nullptr;
  float* to = nullptr;
  unsigned long long stride = 0;  ///< of from
  unsigned count = 0;             ///< rows
  unsigned width = 0;             ///< rows of the result
  unsigned cells = 0;
  unsigned depth = 0;
  unsigned slices = 0;
};

/// A block of packed_grids moves this many values of this many rows.
constexpr unsigned packing_tile = 32, packing_threads = 256;

}  // namespace semblance::gpu
