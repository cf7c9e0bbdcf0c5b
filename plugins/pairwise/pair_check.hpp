// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "pair_columns.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::pairwise {

/// Checks a random subset of training pairs: the standard kernel's values by their definition, in
/// double, and decision values from these and the coefficients. `pairs` are the variables, of
/// `examples`. Returns the violation of the optimality conditions; nothing if the standard kernel
/// has no plain definition. Throws Error if a solution called converged violates them by
/// numerics::largest_excess more than in training, or if its objective is impossible.
std::optional<double> check_solution(const PairKernel& kernel, MatrixView examples,
                                     const PairColumns& pairs, const numerics::DualProblem& problem,
                                     const numerics::DualSolution& solution, Context& context);

}  // namespace semblance::pairwise
