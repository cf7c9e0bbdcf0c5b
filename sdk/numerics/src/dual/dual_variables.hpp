// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics {

inline double lower(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? 0 : -p.costs[i];
}
inline double upper(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? p.costs[i] : 0;
}

/// p_i: minus the gradient of variable i at zero.
inline double linear_term(const DualProblem& p, std::size_t i) {
  return p.linear.empty() ? p.labels[i] : p.linear[i];
}

/// Computes all figures of a solution except its violation and `sensitivity` from its coefficients
/// and gradients. `gap` and `scaled`: see DualSolution::primal.
void evaluate(const DualProblem& problem, std::span<const double> gradients, double gap,
              bool scaled, DualSolution& solution);

/// DualSolution::sensitivity, for errors up to `reach`.
double sensitivity(const DualProblem& problem, std::span<const double> gradients,
                   const DualSolution& solution, double reach);

/// A point of the dual, and the gradient there.
struct DualPoint {
  const DualProblem& problem;
  std::vector<double> values, gradients;  ///< of all variables

  /// Starts at DualProblem::start, but with the gradients at zero.
  explicit DualPoint(const DualProblem& problem);

  double lower(std::size_t i) const { return numerics::lower(problem, i); }
  double upper(std::size_t i) const { return numerics::upper(problem, i); }
  bool may_increase(std::size_t i) const { return values[i] < upper(i); }
  bool may_decrease(std::size_t i) const { return values[i] > lower(i); }
  /// The gradient of variable i at zero.
  double first_gradient(std::size_t i) const { return -linear_term(problem, i); }
  /// For mirrored ranges: sets the gradients of the second by those of the first.
  void mirror_gradients();

  /// 1/2 b'Kb - p'b
  double objective() const;

  /// The possible error of gradients: each is a sum of |b| times kernel values in double.
  double rounding(double largest_value) const;
};

}  // namespace semblance::numerics
