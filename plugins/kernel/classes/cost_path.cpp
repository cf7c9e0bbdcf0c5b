// SPDX-License-Identifier: MIT
#include "classes/cost_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::kernel {
namespace {

void check_memory(const ClassProblems& problems, std::size_t bytes) {
  constexpr std::size_t many = 1000;
  const std::size_t needed = solution_bytes(problems);
  if (needed <= bytes || problems.count() <= many) return;
  throw MemoryError(std::to_string(problems.classes()) + " classes give " +
                    std::to_string(problems.count()) + " problems, whose solutions take " +
                    std::to_string((needed >> 20) + 1) + " MiB; " + std::to_string(bytes >> 20) +
                    " MiB are left. Raise --memory, or " +
                    (problems.one_versus_one() ? "set multiclass: one_versus_rest"
                                               : "use fewer classes or rows"));
}

/// The factor at which 1/2 b'Kb - y'b is smallest, at most `growth`.
double best_factor(const ClassProblems& problems, std::size_t problem, double growth,
                   const numerics::DualSolution& solution) {
  double gain = 0, curvature = 0;
  for (std::size_t i = 0; i < solution.gradients.size(); ++i) {
    const double b = solution.coefficients[i];
    gain += std::abs(b);
    curvature += b * (solution.gradients[i] + problems.variable(problem, i).label);
  }
  return curvature > 0 ? std::min(growth, gain / curvature) : growth;
}

}  // namespace

std::vector<double> PathSetting::costs(double cost) const {
  const std::vector<std::uint32_t>& order = dual.samples.order;
  std::vector<double> all(order.size(), cost);
  for (std::size_t i = 0; i < all.size() && !weights.empty(); ++i) all[i] *= weights[order[i]];
  return all;
}

void solve_path(const PathSetting& path, ClassProblems& problems,
                const std::function<void(std::size_t, const Solutions&)>& take) {
  check_memory(problems, path.dual.bytes);
  const std::vector<double>& costs = path.task.costs;
  Solutions before;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    problems.costs = path.costs(costs[k]);
    InitialStates states;
    if (k > 0 && path.dual.context.stop_requested() == StopReason::none)
      states = states_for_larger_costs(problems, before, costs[k] / costs[k - 1]);
    if (states.empty()) before.clear();
    before = solve(path.dual, problems, states, std::move(before));
    take(k, before);
  }
}

/// A variable at its bound reaches the new bound exactly where the factor is the costs' own,
/// however it rounds; one that is yet to be removed has the cost 0.
void scale(const ClassProblems& problems, std::size_t problem, double factor,
           numerics::DualSolution& solution) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < solution.coefficients.size(); ++i) {
    const auto [label, cost, linear] = problems.variable(problem, i);
    double& b = solution.coefficients[i];
    const double scaled = std::abs(b) * factor;
    b = std::copysign(cost == 0 || scaled < cost * (1 - rounding) ? scaled : cost, b);
    solution.gradients[i] = factor * (solution.gradients[i] + label) - label;
  }
}

numerics::DualState state_at(numerics::DualSolution solution) {
  const double largest_value = solution.largest_value;
  std::vector<double> gradients = std::move(solution.gradients);
  numerics::DualState state = numerics::warm_start(solution, std::move(gradients));
  state.largest_value = largest_value;
  return state;
}

InitialStates states_for_larger_costs(const ClassProblems& problems, const Solutions& solutions,
                                      double growth) {
  InitialStates states;
  for (std::size_t p = 0; p < problems.count(); ++p) {
    numerics::DualSolution start = solutions[p];
    if (start.coefficients.empty() || start.gradients.empty()) return {};
    scale(problems, p, best_factor(problems, p, growth, start), start);
    states[p] = state_at(std::move(start));
  }
  return states;
}

}  // namespace semblance::kernel
