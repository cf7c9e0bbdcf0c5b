// SPDX-License-Identifier: MIT
#pragma once

#include "correlation_plan.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::vectors {

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
