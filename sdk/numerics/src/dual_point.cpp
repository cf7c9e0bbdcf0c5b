// SPDX-License-Identifier: MIT
#include "dual_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::numerics {

DualPoint::DualPoint(const DualProblem& p, const OwnVariables& own_variables)
    : problem(p), own(own_variables), values(p.size()) {
  gradients.reserve(own.count());
  for (const std::uint32_t i : own.list()) gradients.push_back(first_gradient(i));
}

double DualPoint::objective() const {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * (gradients[i] - problem.labels[i]);
  return sum / 2;
}

double DualPoint::rounding(double largest_value) const {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return std::numeric_limits<double>::epsilon() * sum * largest_value;
}

namespace {

/// The possible distance, due to rounding, of a variable from the bound that it should be at: the
/// second variable of a pair step is computed as a difference of values.
double rounding_at_bounds(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return 16 * std::numeric_limits<double>::epsilon() * largest;
}

/// LIBSVM's bias: with it, f(x_i) = y_i on average over the free variables; without free variables,
/// it is the middle of the allowed interval. A variable within `rounding` of a bound is at the
/// bound: a single one mistaken for free moves the bias from the middle to the edge.
double bias(const DualProblem& p, std::span<const double> values, std::span<const double> gradients,
            double rounding) {
  double sum = 0, above = std::numeric_limits<double>::infinity(), below = -above;
  std::size_t free = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool grows = values[i] < upper(p, i) - rounding;
    const bool shrinks = values[i] > lower(p, i) + rounding;
    if (grows && shrinks) {
      sum += gradients[i];
      ++free;
    } else if (grows) {
      above = std::min(above, gradients[i]);
    } else if (shrinks) {  // neither can a variable whose C is 0
      below = std::max(below, gradients[i]);
    }
  }
  return free > 0 ? -sum / static_cast<double>(free) : -(above + below) / 2;
}

}  // namespace

void evaluate(const DualProblem& p, std::span<const double> gradients, DualSolution& s) {
  const double rounding = rounding_at_bounds(s.coefficients);
  s.bias = bias(p, s.coefficients, gradients, rounding);
  s.squared_norm = 0;
  s.vectors = s.bounded = 0;
  double linear = 0, losses = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double value = s.coefficients[i], gradient = gradients[i];
    s.squared_norm += value * (gradient + p.labels[i]);
    linear += std::abs(value);
    s.vectors += value != 0;
    s.bounded += value != 0 && std::abs(value) >= p.costs[i] - rounding;
    losses += p.costs[i] * std::max(0.0, -p.labels[i] * (gradient + s.bias));
  }
  s.dual = s.squared_norm / 2 - linear;
  s.primal = s.squared_norm / 2 + losses;
}

void take_gradients(const DualProblem& p, std::span<const double> gradients, DualSolution& s) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  double most = none, least = none;  // of variables that may shrink, and minus of those that may
                                     // grow
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (s.coefficients[i] > lower(p, i)) most = std::max(most, gradients[i]);
    if (s.coefficients[i] < upper(p, i)) least = std::max(least, -gradients[i]);
  }
  s.violation = std::max(0.0, most + least);
  evaluate(p, gradients, s);
}

}  // namespace semblance::numerics
