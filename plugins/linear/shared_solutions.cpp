// SPDX-License-Identifier: MIT
#include "shared_solutions.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"

namespace semblance::linear {
namespace {

Solution copy_of(const Solution& solution) {
  Vectors<double> weights(solution.weights.count(), solution.weights.cols());
  for (std::size_t c = 0; c < weights.count(); ++c)
    std::copy_n(solution.weights.row(c), weights.cols(), weights.row(c));
  return {std::move(weights),   solution.offsets,    solution.outcomes, solution.certificate,
          solution.stalled,     solution.iterations, solution.sweeps,   solution.objectives,
          solution.start_norms, solution.convergence};
}

}  // namespace

void SharedSolutions::announce(const std::vector<double>& costs) {
  const std::lock_guard lock(mutex_);
  if (costs.size() > costs_.size()) costs_ = costs;
}

bool SharedSolutions::covers(const std::vector<double>& costs) const {
  return costs.size() <= costs_.size() && std::equal(costs.begin(), costs.end(), costs_.begin());
}

bool SharedSolutions::fits(const LinearTask& task) const noexcept {
  const std::size_t vectors = std::max(task.problems(), task.classes());
  return costs_.size() * vectors * padded(task.dimension()) * sizeof(double) <= bytes_;
}

std::vector<Solution> SharedSolutions::solve(const LinearTask& task, const SolveCosts& solve,
                                             Context& context) {
  // Others wait here for the first: they need what it computes.
  const std::lock_guard lock(mutex_);
  if (failed_ || !covers(task.costs) || !fits(task)) return solve(task, context);
  if (solutions_.empty()) {
    LinearTask all = task;
    all.costs = costs_;
    std::vector<Solution> found;
    try {
      found = solve(all, context);
    } catch (const Error&) {
      failed_ = true;  // perhaps for a larger cost than this training's
      return solve(task, context);
    }
    if (context.stop_requested() != StopReason::none) {
      found.resize(task.costs.size());
      return found;
    }
    solutions_ = std::move(found);
  }
  std::vector<Solution> own;
  for (std::size_t i = 0; i < task.costs.size(); ++i) own.push_back(copy_of(solutions_[i]));
  return own;
}

}  // namespace semblance::linear
