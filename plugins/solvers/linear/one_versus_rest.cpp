// SPDX-License-Identifier: MIT
#include "linear/one_versus_rest.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "newton/l1_newton.hpp"

namespace semblance::solvers {
namespace {

/// The objectives of two batches, added up iterate by iterate: what ended stays at its last one,
/// what began later counts its first.
std::vector<double> added_up(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(std::max(a.size(), b.size()));
  for (const std::vector<double>* part : {&a, &b})
    for (std::size_t i = 0; !part->empty() && i < sum.size(); ++i)
      sum[i] += (*part)[std::min(i, part->size() - 1)];
  return sum;
}

Vectors<double> joined(const Vectors<double>& a, const Vectors<double>& b) {
  Vectors<double> all(a.count() + b.count(), b.cols());
  for (std::size_t i = 0; i < all.count(); ++i)
    std::copy_n(i < a.count() ? a.row(i) : b.row(i - a.count()), b.cols(), all.row(i));
  return all;
}

/// `part` solves the problems from `first` on.
void append(Solution part, std::size_t first, Solution& whole) {
  whole.weights = first == 0 ? std::move(part.weights) : joined(whole.weights, part.weights);
  whole.outcomes.insert(whole.outcomes.end(), part.outcomes.begin(), part.outcomes.end());
  whole.certificate = std::max(whole.certificate, part.certificate);
  for (const std::size_t c : part.stalled) whole.stalled.push_back(first + c);
  whole.iterations = std::max(whole.iterations, part.iterations);
  whole.sweeps += part.sweeps;
  whole.objectives = added_up(whole.objectives, part.objectives);
}

void warn_of_stalled(const Solution& solution, const LinearTask& task, Context& context) {
  if (solution.stalled.empty()) return;
  const std::size_t settled = solution.stalled.front(), others = solution.stalled.size() - 1;
  context.log(LogLevel::warning,
              "the objective of class '" +
                  task.training.classes[task.classes() == 2 ? 1 : settled] + "'" +
                  (others > 0 ? " and " + std::to_string(others) + " others" : "") +
                  " settled before its lower bound proved it; columns of similar scale "
                  "(normalizer/zscore) train faster and to a proven optimum");
}

}  // namespace

std::vector<Solution> train_one_versus_rest(const LinearTask& task, Regularizer regularizer,
                                            PreconditionerKind preconditioner, Context& context) {
  const TrainingSet& training = task.training;
  const std::size_t problems = task.classes() == 2 ? 1 : task.classes();
  const std::size_t batch =
      newton_batch(training.rows.rows(), task.dimension(), problems, context.memory_budget());
  std::vector<Solution> solutions(task.costs.size());
  for (std::size_t first = 0; first < problems; first += batch) {
    std::vector<std::int32_t> positives(std::min(batch, problems - first));
    std::iota(positives.begin(), positives.end(),
              static_cast<std::int32_t>(problems == 1 ? 1 : first));
    SquaredHinge problem({training.rows, training.labels, positives, task.costs.back(), task.bias,
                          task.class_weights},
                         context);
    std::vector<Solution> parts =
        regularizer == Regularizer::l1
            ? minimise(problem, task.costs, L1Options{task.tolerance, task.max_iterations}, context)
            : minimise(problem, task.costs,
                       NewtonOptions{task.tolerance, task.max_iterations, preconditioner}, context);
    for (std::size_t i = 0; i < parts.size(); ++i) append(std::move(parts[i]), first, solutions[i]);
  }
  for (const Solution& solution : solutions) warn_of_stalled(solution, task, context);
  return solutions;
}

}  // namespace semblance::solvers
