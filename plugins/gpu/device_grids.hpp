// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "device_panels.hpp"
#include "grid_pairs.hpp"

namespace semblance::gpu {

/// A similarity of grids of cells that move, BE-SVM eq. (11) and (12):
/// s(b, x) = max_z sum_c max_l <b(c), x(c + z + l)> - local_penalty |l|^2 - penalty |z|^2, where z
/// is at most `shift` and l at most `local` in each direction. Cells outside of the grid are zero,
/// and so are their products, which take part in the maxima.
struct GridMeasure {
  std::size_t height = 1, width = 1, depth = 1;
  std::size_t shift = 0;
  std::size_t local = 0;
  double penalty = 0;
  double local_penalty = 0;
  bool basis_moves = false;  ///< b(c + z + l) and x(c) instead

  std::size_t cells() const noexcept { return height * width; }
  /// Products of values for a basis and a row.
  double products() const noexcept;
};

/// Bases whose similarities to grids a GPU computes, in float32. A cell's product is one sum over
/// its values; with local displacements, the cells' maxima are summed one after the other, else the
/// products of a row of cells are one sum, and the rows' sums are summed. A value has an error of
/// at most (n + 3) 2^-24 of the largest sum, over z, of sum_c (max_l sum_k |b(c)_k x(c + z + l)_k|
/// + local_penalty |l|^2) + penalty |z|^2; where n is depth + cells, or width depth + height
/// without local displacements. It does not depend on other rows and bases. It is NaN where a
/// cell's product is NaN, and with local displacements also where one is infinite. The bases stay
/// in the GPU's memory as far as they fit; the others are copied for each block of rows.
class DeviceGrids {
 public:
  using Fetch = DevicePanels::Fetch;

  /// `fetch` is called here and in compare(), from any thread. The context is polled about every
  /// `most_products` products of values; the default takes an H100 0.2 s.
  DeviceGrids(Device& device, std::size_t count, const GridMeasure& measure, Fetch fetch,
              Context& context, double most_products = 4e12);

  /// out(i, j) = s(base first + j, row i of in). Polls the context. Dense rows only.
  void compare(MatrixView in, std::size_t first, MutableMatrixView out, Context& context) const;

  /// The bases that are in the GPU's memory.
  std::size_t resident() const noexcept { return panels_.resident(); }

 private:
  /// How many of `count`, in whole tiles, may be compared at once with `others` of the others.
  std::size_t at_once(std::size_t count, std::size_t tile, std::size_t others) const;
  void compare_some(MatrixView in, std::size_t first, MutableMatrixView out, DeviceQueue& queue,
                    Context& context) const;

  GridMeasure measure_;
  double most_products_;
  std::size_t panel_;  ///< bases of a panel
  DevicePanels panels_;
};

}  // namespace semblance::gpu
