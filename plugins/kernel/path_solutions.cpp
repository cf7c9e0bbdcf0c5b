// SPDX-License-Identifier: MIT
#include "path_solutions.hpp"

#include <algorithm>
#include <utility>

#include "class_problems.hpp"
#include "exact_refinement.hpp"
#include "larger_cost.hpp"

namespace semblance::kernel {
namespace {

Solutions solve_from(const PathSetting& path, const ClassProblems& problems,
                     const numerics::DualOptions& options, Solutions before, double growth) {
  if (!before.empty() && path.context.stop_requested() == StopReason::none) {
    const InitialStates states = states_for_larger_costs(problems, before, growth);
    if (!states.empty())
      return solve_all(problems, options, path.bytes, path.context, states, std::move(before));
  }
  return solve_all(problems, options, path.bytes, path.context);
}

numerics::DualOptions options_of(const PathSetting& path) {
  numerics::DualOptions options = path.task.options;
  options.gradients = path.task.costs.size() > 1;
  return options;
}

/// Improves the solutions beyond the rounding of kernel values.
void refine(const PathSetting& path, const ClassProblems& problems,
            const numerics::DualOptions& options, Solutions& solutions) {
  if (path.context.stop_requested() != StopReason::none) return;
  try {
    kernel::refine(path.task, path.certified, path.training, path.rows,
                   refined_duals(problems, options, path.bytes, path.context), options, solutions,
                   path.context);
  } catch (const Cancelled&) {
    for (numerics::DualSolution& s : solutions)
      s.certificate = std::max(s.certificate, stop_certificate(path.context));
  }
}

}  // namespace

std::vector<double> PathSetting::costs(double cost) const {
  std::vector<double> all(rows.order.size(), cost);
  for (std::size_t i = 0; i < all.size() && !weights.empty(); ++i) all[i] *= weights[rows.order[i]];
  return all;
}

void solve_path(const PathSetting& path, ClassProblems& problems,
                const std::function<void(std::size_t, const Solutions&)>& take) {
  const std::vector<double>& costs = path.task.costs;
  Solutions before;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    problems.costs = path.costs(costs[k]);
    const numerics::DualOptions options = options_of(path);
    before = solve_from(path, problems, options, std::move(before),
                        k == 0 ? 1 : costs[k] / costs[k - 1]);
    refine(path, problems, options, before);
    take(k, before);
  }
}

Solutions solve_again(const PathSetting& path, const ClassProblems& problems, InitialStates states,
                      Solutions known) {
  const numerics::DualOptions options = options_of(path);
  Solutions solutions =
      solve_all(problems, options, path.bytes, path.context, states, std::move(known));
  refine(path, problems, options, solutions);
  return solutions;
}

}  // namespace semblance::kernel
