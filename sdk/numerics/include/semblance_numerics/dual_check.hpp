// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include "semblance_numerics/dual_problem.hpp"

/// Checks of a dual solution that must hold despite rounding.
namespace semblance::numerics {

/// Throws Error if the objective is not finite, or if a solution called converged has an objective
/// that no feasible point can have with bounds C_i whose sum is `costs`: as the kernel is positive
/// semi-definite, |w|^2 is not negative and the dual not below -sum C_i.
void check_objective(const DualSolution& solution, double costs);

/// The violation of a variable's optimality conditions, given its |b_i|, C_i, and y_i f(x_i). It is
/// infinite if the margin is NaN.
inline double optimality_violation(double magnitude, double cost, double margin) noexcept {
  if (std::isnan(margin)) return std::numeric_limits<double>::infinity();
  double violation = 0;
  if (magnitude < cost && margin < 1) violation = 1 - margin;
  if (magnitude > 0 && margin > 1) violation = margin - 1;
  return violation;
}

/// The allowed excess of a violation, evaluated by the kernel's definition, over the violation in
/// training: a tenth of the margin at which the loss begins.
inline constexpr double largest_excess = 0.1;

/// Throws Error: a random subset of variables violates the conditions by `violation`.
[[noreturn]] void throw_false_certificate(double violation, double seen);

}  // namespace semblance::numerics
