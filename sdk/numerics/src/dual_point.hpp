// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "own_variables.hpp"

namespace semblance::numerics {

inline double lower(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? 0 : -p.costs[i];
}
inline double upper(const DualProblem& p, std::size_t i) {
  return p.labels[i] > 0 ? p.costs[i] : 0;
}

/// Computes all figures of a solution except its violation from its coefficients and gradients.
void evaluate(const DualProblem& problem, std::span<const double> gradients,
              DualSolution& solution);

/// A point of the dual, and the gradient there.
struct DualPoint {
  const DualProblem& problem;
  const OwnVariables& own;
  std::vector<double> values;     ///< of all variables
  std::vector<double> gradients;  ///< of the own variables, by place

  /// Starts at zero.
  DualPoint(const DualProblem& problem, const OwnVariables& own);

  double lower(std::size_t i) const { return numerics::lower(problem, i); }
  double upper(std::size_t i) const { return numerics::upper(problem, i); }
  bool may_grow(std::size_t i) const { return values[i] < upper(i); }
  bool may_shrink(std::size_t i) const { return values[i] > lower(i); }
  /// The gradient of variable i at zero.
  double first_gradient(std::size_t i) const { return -problem.labels[i]; }

  /// 1/2 b'Kb - y'b, if all variables are own ones.
  double objective() const;

  /// The possible error of gradients: each is a sum of |b| times kernel values in double.
  double rounding(double largest_value) const;
};

}  // namespace semblance::numerics
