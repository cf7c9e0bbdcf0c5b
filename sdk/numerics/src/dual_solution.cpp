// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "dual_variables.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics {

namespace {

/// LIBSVM's bias: with it, f(x_i) = y_i on average over the free variables; without free variables,
/// it is the middle of the allowed interval, or its end if it has only one. A variable within
/// `rounding` of a bound is at the bound: a single one mistaken for free moves the bias from the
/// middle to the edge.
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
  if (free > 0) return -sum / static_cast<double>(free);
  if (std::isinf(above) && !p.start.empty()) return -below;
  if (std::isinf(below) && !p.start.empty()) return -above;
  return -(above + below) / 2;
}

[[noreturn]] void refuse_objective(const std::string& what) {
  throw Error(
      "the solution's " + what +
      ", which no machine can have: rounding has lost the kernel's values; center and scale "
      "the samples (normalizer/zscore) or lower C");
}

}  // namespace

/// The second variable of a pair step is computed as a difference of values, and the last one has
/// the rounding of the sum of all.
double rounding_at_bounds(std::span<const double> values) {
  double largest = 0, sum = 0;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value));
    sum += std::abs(value);
  }
  return std::numeric_limits<double>::epsilon() * std::max(16 * largest, sum);
}

void evaluate(const DualProblem& p, std::span<const double> gradients, DualSolution& s) {
  const double rounding = rounding_at_bounds(s.coefficients);
  s.bias = bias(p, s.coefficients, gradients, rounding);
  s.squared_norm = 0;
  s.vectors = s.bounded = 0;
  double linear = 0, losses = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double value = s.coefficients[i], gradient = gradients[i];
    s.squared_norm += value * (gradient + linear_term(p, i));
    linear += value * linear_term(p, i);
    s.vectors += value != 0;
    s.bounded += value != 0 && std::abs(value) >= p.costs[i] - rounding;
    losses += p.costs[i] * std::max(0.0, -p.labels[i] * (gradient + s.bias));
  }
  s.dual = s.squared_norm / 2 - linear;
  s.primal = s.squared_norm / 2 + losses;
  if (!p.start.empty()) s.primal += s.bias * std::accumulate(p.start.begin(), p.start.end(), 0.0);
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

std::string doubt(const DualSolution& solution, double tolerance) {
  constexpr double least_share = 0.5;
  if (!(solution.violation < tolerance)) return "";
  if (!(solution.rounding < tolerance))
    return "C times the kernel's values is so large that rounding hides the remaining improvement: "
           "gradients may be wrong by " +
           to_text(Value(solution.rounding)) + ", tolerance is " + to_text(Value(tolerance)) +
           "; lower C, or scale the samples";
  const double gap = solution.primal + solution.dual;
  const double whole = std::max(std::abs(solution.primal), std::abs(solution.dual));
  if (std::isfinite(gap) && gap <= least_share * whole) return "";
  return "C is so large that violations below the tolerance of " + to_text(Value(tolerance)) +
         " cost more than the rest of the objective, so nothing is proved about it; lower C or the "
         "tolerance";
}

void check_objective(const DualSolution& s, double losses) {
  if (!std::isfinite(s.dual) || !std::isfinite(s.primal) || !std::isfinite(s.bias))
    refuse_objective("objective is not finite");
  if (s.certificate != Certificate::converged) return;
  double sum = 0;
  for (const double b : s.coefficients) sum += std::abs(b);
  const double rounding = 1e-3 * sum;
  if (s.squared_norm < -rounding)
    refuse_objective("squared norm is " + to_text(Value(s.squared_norm)));
  if (s.dual < -losses - rounding)
    refuse_objective("dual objective is " + to_text(Value(s.dual)) +
                     ", below minus the losses of the function 0, " + to_text(Value(-losses)));
}

void throw_false_certificate(double violation, double seen) {
  throw Error(
      "the machine is not what its certificate says: by the kernel's definition, decision values "
      "of a sample of training data violate the optimality conditions by " +
      to_text(Value(violation)) + ", where training saw " + to_text(Value(seen)) +
      ": C times the kernel's values is more than float32 resolves; scale the samples "
      "(normalizer/zscore) or lower C");
}

}  // namespace semblance::numerics
