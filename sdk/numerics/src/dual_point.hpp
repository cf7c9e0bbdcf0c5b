// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "semblance_numerics/dual_problem.hpp"

namespace semblance::numerics {

/// The largest violation: some variable that may grow has the gradient `least`, one that may
/// shrink `most`.
struct Violation {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double size() const { return most - least; }
};

/// A point of the dual and the gradient there.
struct DualPoint {
  const DualProblem& problem;
  std::vector<double> values, gradients;

  /// At zero.
  explicit DualPoint(const DualProblem& problem);

  double lower(std::size_t i) const { return problem.labels[i] > 0 ? 0 : -problem.costs[i]; }
  double upper(std::size_t i) const { return problem.labels[i] > 0 ? problem.costs[i] : 0; }
  bool may_grow(std::size_t i) const { return values[i] < upper(i); }
  bool may_shrink(std::size_t i) const { return values[i] > lower(i); }

  /// Over some variables. Throws Error where a gradient is not finite; `largest_value` of the
  /// kernel is for its message.
  Violation violation(std::span<const std::uint32_t> variables, double largest_value) const;

  /// What gradients may be wrong by: each is a sum of |b| times kernel values in double.
  double rounding(double largest_value) const;

  /// LIBSVM's: what makes f(x_i) = y_i on average over the free variables, else the middle of what
  /// the others allow.
  double bias() const;
};

}  // namespace semblance::numerics
