// SPDX-License-Identifier: MIT
#pragma once

#include "grids/correlation_plan.hpp"
#include "grids/shifts.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::vectors {

/// The rigid similarity, BE-SVM eq. (11), of all rows of a block and the bases of panel `panel`:
/// out(i, j) = max_z sum_c <b_j(c), x_i(c + z)> - penalty |z|^2. `out` has all bases as columns.
///
/// Multiplies only the cells that zero padding leaves, summed in the order of the cells.
void rigid_direct_panel(const RigidShifts& shifts, const numerics::PackedBlock& block,
                        const numerics::PackedRows& bases, std::size_t panel,
                        MutableMatrixView out);

enum class CorrelationSide { bases, samples };

/// The rows' values at all frequencies, as the products want them: `out` has the plan's products
/// times depth columns.
void transform_rows(const CorrelationPlan& plan, CorrelationSide side, MatrixView rows,
                    MutableMatrixView out);

/// rigid_direct_panel() from transformed samples and bases. The error is a few units in the last
/// place of |b||x|; a row's result does not depend on other rows.
void rigid_transform_panel(const CorrelationPlan& plan, float floor,
                           const numerics::PackedBlock& block, const numerics::PackedRows& bases,
                           std::size_t panel, MutableMatrixView out);

}  // namespace semblance::vectors
