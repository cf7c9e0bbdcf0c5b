// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include "semblance_numerics/dual_problem.hpp"

/// What a solution of a dual problem must be, whatever rounding has done.
namespace semblance::numerics {

/// Throws Error where the objective is not finite, or, of a solution that is called converged, none
/// that a feasible point can have with bounds C_i that add up to `costs`: as the kernel is positive
/// semi-definite, |w|^2 is not negative, and the dual not below -sum C_i.
void check_objective(const DualSolution& solution, double costs);

/// By how much a variable violates its optimality conditions, given its |b_i|, its C_i, and its
/// y_i f(x_i). A margin that is NaN violates them without bound.
inline double optimality_violation(double magnitude, double cost, double margin) noexcept {
  if (std::isnan(margin)) return std::numeric_limits<double>::infinity();
  double violation = 0;
  if (magnitude < cost && margin < 1) violation = 1 - margin;
  if (magnitude > 0 && margin > 1) violation = margin - 1;
  return violation;
}

/// By how much that may exceed what training saw, for a variable evaluated by the kernel's
/// definition: a tenth of the distance from the boundary at which the loss begins.
inline constexpr double largest_excess = 0.1;

/// Says that a sample of variables violates the conditions by so much.
[[noreturn]] void throw_false_certificate(double violation, double seen);

}  // namespace semblance::numerics
