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

}  // namespace semblance::linear
