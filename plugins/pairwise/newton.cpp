// SPDX-License-Identifier: MIT
#include "newton.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"
#include "semblance/parameters.hpp"

namespace semblance::pairwise {

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

std::string vector_name(std::size_t v) { return "vector_" + std::to_string(v); }

[[noreturn]] void refuse() { throw Error("the checkpoint is of another training"); }

std::size_t count(const StateReader& from, const char* name) {
  const std::int64_t value = from.integer(name);
  if (value < 0) refuse();
  return static_cast<std::size_t>(value);
}

std::vector<double> some(const StateReader& from, const std::string& name, std::size_t size) {
  std::vector<double> values = from.doubles(name);
  if (values.size() != size) refuse();
  return values;
}

/// Without the present iterate, which is_last() records again.
std::span<const double> before_now(const std::vector<double>& curve) {
  return std::span(curve).first(curve.size() - 1);
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
    throw Error("with C = " + to_text(Value(options.cost / 2)) +
                " and examples of this size the objective overflows; lower C, or scale the "
                "examples (normalizer/unit_length)");
  // A bound that rounding has put above the objective proves nothing.
  if (std::abs(relative_gap()) <= options.tolerance) return true;
  if (iterations < options.most_iterations && !stalled(objectives)) return false;
  certificate = Certificate::iteration_limit;
  return true;
}

void write_progress(const NewtonSolution& now, const StepStart& start, std::size_t products,
                    const std::vector<std::span<const double>>& vectors,
                    std::span<const double> numbers, StateWriter& to) {
  to.integer("iterations", static_cast<std::int64_t>(now.iterations));
  to.integer("products", static_cast<std::int64_t>(now.products));
  to.integer("step_products", static_cast<std::int64_t>(products));
  to.integer("active", static_cast<std::int64_t>(now.active));
  to.doubles("start", std::vector{start.bias, start.norm, now.dual});
  to.doubles("weights", now.w);
  to.doubles("coefficients", now.coefficients);
  to.doubles("objectives", before_now(now.objectives));
  to.doubles("gradient_norms", before_now(now.gradient_norms));
  to.doubles("convergence", numerics::numbers_of(now.convergence.points()));
  for (std::size_t v = 0; v < vectors.size(); ++v) to.doubles(vector_name(v), vectors[v]);
  to.doubles("numbers", numbers);
}

NewtonProgress read_progress(const StateReader& from, std::size_t weights, std::size_t coefficients,
                             std::size_t vectors, std::size_t numbers) {
  NewtonProgress progress;
  NewtonSolution& at = progress.at;
  at.iterations = count(from, "iterations");
  at.products = count(from, "products");
  at.active = count(from, "active");
  const std::vector<double> start = some(from, "start", 3);
  at.bias = start[0], progress.start_norm = start[1], at.dual = start[2];
  at.w = some(from, "weights", weights);
  at.coefficients = some(from, "coefficients", coefficients);
  at.objectives = some(from, "objectives", at.iterations);
  at.gradient_norms = some(from, "gradient_norms", at.iterations);
  at.convergence.resume(numerics::points_of(from.doubles("convergence")));
  progress.gradients.products = count(from, "step_products");
  for (std::size_t v = 0; v < vectors; ++v)
    progress.gradients.vectors.push_back(from.doubles(vector_name(v)));
  progress.gradients.numbers = some(from, "numbers", numbers);
  return progress;
}

bool resume(Context& context, const std::function<void(const StateReader&)>& read) {
  const StateReader* const kept = context.checkpoint().kept();
  if (kept == nullptr) return false;
  bool fits = true;
  try {
    read(*kept);
  } catch (const Error&) {
    fits = false;
  }
  return context.collectives().all(fits);
}

}  // namespace semblance::pairwise
