// SPDX-License-Identifier: MIT
#include "newton/newton.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/error.hpp"

namespace semblance::pairs {

namespace {

/// Whether the last steps together gained no more than rounding.
bool stalled(const std::vector<double>& objectives) {
  constexpr std::size_t steps = 5;
  return objectives.size() > steps &&
         objectives[objectives.size() - 1 - steps] - objectives.back() <= 1e-10 * objectives.back();
}

/// The progress in [0, 1]: the gap hardly changes until the end, the gradient changes from the
/// start.
double share(double gap, double gradient, double tolerance) {
  const auto part = [&](double x) {
    return std::log(std::clamp(x, tolerance, 1.0)) / std::log(tolerance);
  };
  return std::max(part(gap), 0.9 * part(gradient));
}

}  // namespace

bool NewtonSolution::is_last(const NewtonOptions& options, Context& context) {
  objectives.push_back(objective);
  gradient_norms.push_back(gradient_norm);
  convergence.record(iterations, relative_gap());
  context.progress(share(relative_gap(), gradient_norm, options.tolerance), 1);
  context.log(LogLevel::debug,
              "iteration " + std::to_string(iterations) + ": objective " +
                  std::to_string(objective) + ", gap " + std::to_string(relative_gap()) +
                  ", relative gradient " + std::to_string(gradient_norm) + ", pairs with a loss " +
                  std::to_string(active) + ", Hessian products " + std::to_string(products));
  if (!std::isfinite(objective) || !std::isfinite(gradient_norm))
    throw Error(
        "with this C and examples of this size the objective overflows; lower C, or scale the "
        "examples (normalizer/unit_length)");
  // A bound that rounding has put above the objective proves nothing.
  if (std::abs(relative_gap()) <= options.tolerance) return true;
  if (iterations < options.most_iterations && !stalled(objectives)) return false;
  certificate = Certificate::iteration_limit;
  return true;
}

}  // namespace semblance::pairs
