// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "class_problems.hpp"

namespace semblance::kernel {

/// The starting points of problems whose costs all have grown by the same factor: the solutions for
/// the smaller costs, each times the factor in [0, `growth`] that is best for it. Any such point is
/// feasible, and the gradient of a multiple is known from that of the solution. Empty if a problem
/// has no solution with its gradients.
InitialStates states_for_larger_costs(const ClassProblems& problems,
                                      const std::vector<numerics::DualSolution>& solutions,
                                      double growth);

}  // namespace semblance::kernel
