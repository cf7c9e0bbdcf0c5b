// SPDX-License-Identifier: MIT
#pragma once

#include "semblance_numerics/packed_rows.hpp"
#include "shifts.hpp"

namespace semblance::vectors {

/// The rigid similarity, BE-SVM eq. (11), of all rows of a block and the bases of panel `panel`:
/// out(i, j) = max_z sum_c <b_j(c), x_i(c + z)> - penalty |z|^2. `out` has all bases as columns.
///
/// Multiplies only the cells that zero padding leaves, summed in the order of the cells.
void rigid_direct_panel(const RigidShifts& shifts, const numerics::PackedBlock& block,
                        const numerics::PackedRows& bases, std::size_t panel,
                        MutableMatrixView out);

}  // namespace semblance::vectors
