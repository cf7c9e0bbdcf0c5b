// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

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

/// The objective of the machines t w + bias, where w is the solution's: convex in both.
class ScaledMachines {
 public:
  ScaledMachines(const DualProblem& p, std::span<const double> gradients, const DualSolution& s)
      : p_(p),
        gradients_(gradients),
        squared_norm_(s.squared_norm),
        bias_(s.bias),
        sum_(std::accumulate(p.start.begin(), p.start.end(), 0.0)) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      all_ += p.costs[i];
      if (p.labels[i] > 0) positive_ += p.costs[i];
    }
  }

  double objective(double t, double bias) const {
    double losses = 0;
    for (std::size_t i = 0; i < p_.size(); ++i)
      losses += p_.costs[i] * std::max(0.0, p_.labels[i] * (residual(i, t) - bias));
    return t * t * squared_norm_ / 2 + bias * sum_ + losses;
  }

  /// The bias that minimizes the objective; of several, the one nearest to the solution's. The
  /// slope grows by a variable's C where its residual is passed, from sum b - sum of C with y = 1.
  double best_bias(double t) const {
    std::vector<std::pair<double, double>> steps;  // residual, C
    for (std::size_t i = 0; i < p_.size(); ++i)
      if (p_.costs[i] > 0) steps.emplace_back(residual(i, t), p_.costs[i]);
    std::ranges::sort(steps);
    const double rounding = 1e-12 * all_;
    double slope = sum_ - positive_;
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& [at, cost] : steps) {
      if (slope < -rounding) low = at;
      slope += cost;
      if (slope > rounding) {
        high = at;
        break;
      }
    }
    return std::clamp(bias_, low, high);
  }

  /// The derivative by t of the least objective over the bias: that of the losses beyond the bias,
  /// and of the share of those at it that makes the slope by the bias 0.
  double slope(double t, double bias) const {
    double slope = t * squared_norm_, rest = sum_, of_tie = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const double beyond = p_.labels[i] * (residual(i, t) - bias), f = value(i);
      if (p_.costs[i] > 0 && std::abs(beyond) < nearest) {
        nearest = std::abs(beyond);
        of_tie = f;
      }
      if (beyond <= 0) continue;
      slope -= p_.labels[i] * p_.costs[i] * f;
      rest -= p_.labels[i] * p_.costs[i];
    }
    return slope - rest * of_tie;
  }

  /// The least objective over t and the bias, by bisection.
  double least() const {
    constexpr int steps = 48;
    double least = std::numeric_limits<double>::infinity();
    const auto grows = [&](double t) {
      const double bias = best_bias(t);
      least = std::min(least, objective(t, bias));
      return slope(t, bias) > 0;
    };
    const bool down = grows(1);
    double near = 1, far = down ? 0 : 1e3;
    for (double away = 1e-9; away < 1; away *= 8) {
      const double next = down ? 1 - away : 1 / (1 - away);
      (grows(next) == down ? near : far) = next;
      if (far == next) break;
    }
    for (int k = 0; k < steps; ++k) {
      const double middle = (near + far) / 2;
      (grows(middle) == down ? near : far) = middle;
    }
    return least;
  }

 private:
  double value(std::size_t i) const { return gradients_[i] + linear_term(p_, i); }
  double residual(std::size_t i, double t) const { return linear_term(p_, i) - t * value(i); }

  const DualProblem& p_;
  std::span<const double> gradients_;
  double squared_norm_, bias_, sum_;
  double all_ = 0, positive_ = 0;
};

/// DualSolution::margin
double margin_of(const DualProblem& p, std::span<const double> gradients) {
  if (!p.linear.empty() || !p.start.empty()) return 0;
  double least = std::numeric_limits<double>::infinity(), most = -least;  // of y = 1, of y = -1
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.costs[i] == 0) continue;
    const double f = gradients[i] + p.labels[i];
    if (p.labels[i] > 0)
      least = std::min(least, f);
    else
      most = std::max(most, f);
  }
  return std::isfinite(least - most) ? std::max((least - most) / 2, 0.0) : 0;
}

/// The gap of the machine w / (margin - apart), which has no losses even if all f are wrong by
/// `apart`: then |w|^2 = sum b f is at most sum |b| apart more, and the dual objective, which is
/// sum |b| - |w|^2 / 2, by half of that less.
double separated_gap(const DualSolution& s, double apart) {
  if (!(s.margin > apart)) return std::numeric_limits<double>::infinity();
  const double factor = 1 / (s.margin - apart), sum = s.squared_norm / 2 - s.dual;
  return (factor * factor + 1) * (s.squared_norm + sum * apart) / 2 - sum;
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

void evaluate(const DualProblem& p, std::span<const double> gradients, double gap, bool scaled,
              DualSolution& s) {
  const double rounding = rounding_at_bounds(s.coefficients);
  s.bias = bias(p, s.coefficients, gradients, rounding);
  s.squared_norm = 0;
  s.vectors = s.bounded = 0;
  double linear = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double value = s.coefficients[i];
    s.squared_norm += value * (gradients[i] + linear_term(p, i));
    linear += value * linear_term(p, i);
    s.vectors += value != 0;
    s.bounded += value != 0 && std::abs(value) >= p.costs[i] - rounding;
  }
  s.dual = s.squared_norm / 2 - linear;
  s.margin = margin_of(p, gradients);
  const ScaledMachines machines(p, gradients, s);
  s.primal = machines.objective(1, s.bias);
  if (!(relative_gap(s) > gap)) return;
  s.bias = machines.best_bias(1);
  s.primal = machines.objective(1, s.bias);
  if (scaled && relative_gap(s) > gap) s.primal = std::min(s.primal, machines.least());
}

/// The gap is the sum of b m + C max(0, -y m) over all variables, with m = f + bias - p; none is
/// negative. A change of m changes it by at most |b| or C - |b|, and by nothing where it is 0 near
/// m.
double sensitivity(const DualProblem& p, std::span<const double> gradients, const DualSolution& s,
                   double reach) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double m = p.labels[i] * (gradients[i] + s.bias), size = std::abs(s.coefficients[i]);
    const double to_bound = p.costs[i] - size;
    const bool stays = (m > reach && size == 0) || (m < -reach && to_bound <= 0);
    if (!stays) sum += std::max(size, to_bound);
  }
  return sum;
}

double relative_gap(const DualSolution& s) noexcept {
  const double whole = std::max(std::abs(s.primal), std::abs(s.dual));
  return whole > 0 ? (s.primal + s.dual) / whole : 0;
}

void allow_error(double apart, const DualOptions& options, DualSolution& s) {
  if (s.sensitivity == 0 || s.certificate > Certificate::iteration_limit) return;
  s.primal = std::min(s.primal + apart * s.sensitivity, separated_gap(s, apart) - s.dual);
  if (!(apart <= options.tolerance && relative_gap(s) <= options.gap))
    s.certificate = Certificate::iteration_limit;
}

void take_gradients(const DualProblem& p, std::span<const double> gradients, double gap,
                    bool scaled, DualSolution& s) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  double most = none, least = none;  // of variables that may shrink, and minus of those that may
                                     // grow
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (s.coefficients[i] > lower(p, i)) most = std::max(most, gradients[i]);
    if (s.coefficients[i] < upper(p, i)) least = std::max(least, -gradients[i]);
  }
  s.violation = std::max(0.0, most + least);
  evaluate(p, gradients, gap, scaled, s);
}

std::string doubt(const DualSolution& solution, double tolerance, double gap) {
  if (!(solution.violation < tolerance)) return "";
  if (!(solution.rounding < tolerance))
    return "C times the kernel's values is so large that rounding hides the remaining improvement: "
           "gradients may be wrong by " +
           to_text(Value(solution.rounding)) + ", tolerance is " + to_text(Value(tolerance)) +
           "; lower C, or scale the samples";
  const double found = relative_gap(solution);
  if (found <= gap) return "";
  return "the duality gap is " + to_text(Value(found)) + " of the objective, more than the " +
         to_text(Value(gap)) +
         " of `tolerance`: violations below the tolerance cost that much where C is large. Raise "
         "max_iterations; if that does not help, rounding hides the rest: scale the samples, or "
         "lower C";
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
