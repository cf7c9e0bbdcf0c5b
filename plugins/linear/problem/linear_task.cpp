// SPDX-License-Identifier: MIT
#include "problem/linear_task.hpp"

#include <numeric>
#include <utility>

namespace semblance::linear {

std::string LinearTask::problem_name(std::size_t problem) const {
  if (regression.problems > 0) return "target '" + regression.names[problem] + "'";
  return "class '" + training.classes[classes() == 2 ? 1 : problem] + "'";
}

AnyLosses LinearTask::losses(std::size_t first, std::size_t count) const {
  if (regression.problems > 0)
    return TubeLosses(regression.targets, regression.problems, first,
                      std::vector<TubeLosses::Tube>(count, {regression.epsilon, {}}));
  std::vector<std::int32_t> positives(count);
  std::iota(positives.begin(), positives.end(),
            static_cast<std::int32_t>(problems() == 1 ? 1 : first));
  return HingeLosses(training.labels, std::move(positives));
}

TrainingSet with_rows(const TrainingSet& training, const Rows& rows, const Layout& layout) {
  TrainingSet set{rows, layout, training.labels, training.classes};
  set.row_numbers = training.row_numbers;
  set.weights = training.weights;
  set.groups = training.groups;
  set.targets = training.targets;
  set.target_names = training.target_names;
  return set;
}

double Solution::objective() const noexcept {
  double sum = 0;
  for (const Outcome& outcome : outcomes) sum += outcome.primal;
  return sum;
}

double Solution::largest_gap() const noexcept {
  double largest = 0;
  for (const Outcome& outcome : outcomes)
    if (outcome.primal > 0)
      largest = std::max(largest, (outcome.primal - outcome.dual) / outcome.primal);
  return largest;
}

void record_iterate(Solution& solution, double tolerance, const std::string& step, std::size_t open,
                    Context& context, const std::string& more) {
  const double objective = solution.objective();
  const double gap = solution.largest_gap(), worst = std::max(tolerance, gap);
  solution.objectives.push_back(objective);
  solution.convergence.record(solution.iterations, gap);
  context.progress(std::log(worst), std::log(tolerance));
  context.log(LogLevel::debug, step + ' ' + std::to_string(solution.iterations) + ": objective " +
                                   std::to_string(objective) + ", largest relative gap " +
                                   std::to_string(worst) + ", problems open " +
                                   std::to_string(open) + more);
}

}  // namespace semblance::linear
