// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "pair_columns.hpp"
#include "semblance/pair_kernel.hpp"
#include "semblance_numerics/dual_problem.hpp"

namespace semblance::pairwise {

/// Evaluates a random sample of training pairs again: the standard kernel's values by their
/// definition, in double, and decision values from these and the coefficients. `pairs` are the
/// variables, of `examples`. Returns by how much they violate the optimality conditions; nothing
/// where the standard kernel does not give its definition. Throws Error where a solution that is
/// called converged violates them by numerics::largest_excess more than training saw, or where its
/// objective is none that a solution can have.
std::optional<double> check_solution(const PairKernel& kernel, MatrixView examples,
                                     const PairColumns& pairs, const numerics::DualProblem& problem,
                                     const numerics::DualSolution& solution, Context& context);

}  // namespace semblance::pairwise
