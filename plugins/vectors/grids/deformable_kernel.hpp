// SPDX-License-Identifier: MIT
#pragma once

#include "grids/shifts.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::vectors {

/// The deformable similarity's displacements.
struct Deformation {
  CellGrid grid;
  std::size_t rigid = 0;  ///< h_R: of the whole grid
  std::size_t local = 0;  ///< h_L: of each cell on its own, added to it
  float penalty = 0;      ///< subtracted, times the squared rigid displacement
  float local_penalty = 0;
  bool basis_moves = false;
};

/// The deformable similarity, BE-SVM eq. (12), of all rows of a block and the bases of panel
/// `panel`, where the sample moves:
/// out(i, j) = max_zR sum_c max_zL <b_j(c), x_i(c + zR + zL)> - local_penalty |zL|^2
///             - penalty |zR|^2.
/// `out` has all bases as columns. A cell outside of the grid is zero, and so are its products,
/// which take part in the maximum.
void deformable_panel(const Deformation& deformation, const numerics::PackedBlock& block,
                      const numerics::PackedRows& bases, std::size_t panel, MutableMatrixView out);

}  // namespace semblance::vectors
