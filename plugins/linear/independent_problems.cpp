// SPDX-License-Identifier: MIT
#include "independent_problems.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "newton/l1_newton.hpp"
#include "newton/multipliers.hpp"
#include "newton/newton_memory.hpp"
#include "newton/row_functions.hpp"
#include "semblance/collectives.hpp"
#include "semblance/parameters.hpp"
#include "sparse/dual_descent.hpp"
#include "sparse/sparse_sweep.hpp"

namespace semblance::linear {
namespace {

/// The objectives of two batches, added iterate by iterate: the shorter one is extended by its last
/// objective.
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

/// The solution of some of the problems.
Solution of_problems(const Solution& all, std::size_t first, std::size_t count) {
  Solution some;
  some.iterations = all.iterations;
  some.sweeps = all.sweeps;
  some.objectives = all.objectives;
  some.convergence = all.convergence;
  some.weights = Vectors<double>(count, all.weights.cols());
  for (std::size_t c = 0; c < count; ++c)
    std::copy_n(all.weights.row(first + c), all.weights.cols(), some.weights.row(c));
  some.outcomes.assign(all.outcomes.begin() + static_cast<std::ptrdiff_t>(first),
                       all.outcomes.begin() + static_cast<std::ptrdiff_t>(first + count));
  some.start_norms.assign(all.start_norms.begin() + static_cast<std::ptrdiff_t>(first),
                          all.start_norms.begin() + static_cast<std::ptrdiff_t>(first + count));
  return some;
}

/// Appends `part`, the solution of the problems from `first` on.
void append(Solution part, std::size_t first, Solution& whole) {
  whole.weights = first == 0 ? std::move(part.weights) : joined(whole.weights, part.weights);
  whole.outcomes.insert(whole.outcomes.end(), part.outcomes.begin(), part.outcomes.end());
  whole.certificate = std::max(whole.certificate, part.certificate);
  for (const std::size_t c : part.stalled) whole.stalled.push_back(first + c);
  // Batches are solved one after the other; the one with the most iterations is recorded.
  if (first == 0 || part.iterations > whole.iterations)
    whole.convergence = std::move(part.convergence);
  whole.iterations = std::max(whole.iterations, part.iterations);
  whole.sweeps += part.sweeps;
  whole.objectives = added_up(whole.objectives, part.objectives);
}

/// Throws Error if training `batch` problems at once takes more than is left.
void check_memory(const LinearTask& task, std::size_t batch, std::size_t needed,
                  const Context& context) {
  const std::size_t budget = context.memory_budget();
  if (needed > budget)
    throw MemoryError(
        "training " + std::to_string(batch) + " of " + std::to_string(task.problems()) +
        " problems at once on " + std::to_string(task.training.rows.rows()) + " rows of " +
        std::to_string(task.dimension()) + " values takes " + std::to_string((needed >> 20) + 1) +
        " MiB in addition to the rows, but " + std::to_string(budget >> 20) +
        " MiB are left; raise --memory, or train on fewer rows or columns");
}

/// The number depends only on sizes; throws Error if the problems do not fit.
std::size_t problems_at_once(const LinearTask& task, std::size_t problems, Context& context) {
  const std::size_t rows = task.training.rows.rows(), d = task.dimension();
  const std::size_t batch = newton_batch(rows, d, problems);
  Collectives& ranks = context.collectives();
  std::size_t needed = newton_bytes(ranks.own(RowParts(rows)).rows, d, batch, context.threads());
  if (task.sparse()) needed += sparse_sweep_bytes(rows, d, batch);
  if (!task.regression.squared()) needed += multipliers_bytes(rows, batch);
  check_memory(task, batch, needed, context);
  return batch;
}

/// Checks the range of the cost: products of conjugate gradients are float32.
void check_cost(const LinearTask& task) {
  constexpr double most = 1e37;
  const double cost = std::max(task.costs.back(), task.largest_cost());
  if (cost <= most) return;
  throw Error("C = " + to_text(Value(cost)) +
              " is more than 1e37, the largest value that float32 products can hold; a much "
              "smaller C gives equally hard margins");
}

/// The solution of problems that were not begun: zero weights.
Solution not_begun(const LinearTask& task, std::size_t first, double cost, Context& context) {
  const std::size_t problems = task.problems() - first;
  Solution solution;
  solution.weights = Vectors<double>(problems, task.dimension());
  if (task.regression.problems > 0 && !task.regression.squared()) {
    for (const double loss : absolute_losses_at_zero(task, first, problems))
      solution.outcomes.push_back({loss, 0, 1});
  } else {
    numerics::SquaredLosses at_zero(losses_of(task, first, problems), context);
    at_zero.set_cost(cost);
    for (const double loss : at_zero.loss_at_zero()) solution.outcomes.push_back({loss, 0, 1});
  }
  solution.certificate = stop_certificate(context);
  return solution;
}

/// The problems, in batches that are solved at once. `starts`: the starting points, one per cost;
/// or none.
std::vector<Solution> train(const LinearTask& task, Regularizer regularizer,
                            const std::vector<Solution>& starts, Context& context) {
  const std::size_t problems = task.problems(), batch = problems_at_once(task, problems, context);
  std::vector<Solution> solutions(task.costs.size());
  for (std::size_t first = 0; first < problems; first += batch) {
    if (first > 0 && context.stop_requested() != StopReason::none) {
      for (std::size_t i = 0; i < solutions.size(); ++i)
        append(not_begun(task, first, task.costs[i], context), first, solutions[i]);
      break;
    }
    const std::size_t count = std::min(batch, problems - first);
    const auto start_at = [&](std::size_t i) { return of_problems(starts[i], first, count); };
    std::vector<Solution> parts;
    if (!task.regression.squared())
      parts.push_back(minimise_absolute(task, first, count, context));
    else if (regularizer == Regularizer::l1)
      parts = minimise_l1(task, first, count, context);
    else
      parts = minimise(task, first, count,
                       {.tolerance = task.tolerance, .max_iterations = task.max_iterations}, 0,
                       context, starts.empty() ? numerics::StartAt() : start_at);
    for (std::size_t i = 0; i < parts.size(); ++i) append(std::move(parts[i]), first, solutions[i]);
  }
  return solutions;
}

/// Whether a factor of as many columns takes less than 300 products with all rows: Newton's method
/// is then as good as on dense samples.
bool few_columns(const LinearTask& task) {
  const double products =
      2 * sparse_values(task.training.rows) * static_cast<double>(task.problems());
  return std::pow(static_cast<double>(task.dimension()), 3) / 3 < 300 * products;
}

}  // namespace

std::vector<Solution> train_independent_problems(const LinearTask& task, Regularizer regularizer,
                                                 Context& context) {
  check_cost(task);
  // Only the hinge has passes over sparse samples.
  if (!task.sparse() || regularizer == Regularizer::l1 || task.regression.problems > 0 ||
      few_columns(task))
    return train(task, regularizer, {}, context);
  check_memory(task, task.problems(),
               descent_bytes(task.training.rows.rows(), task.dimension(), task.problems(),
                             context.threads()),
               context);
  std::vector<Solution> solutions = descend_dual(task, context);
  const auto done = [](const Solution& s) { return s.certificate != Certificate::iteration_limit; };
  if (std::ranges::all_of(solutions, done)) return solutions;
  return train(task, Regularizer::l2, solutions, context);
}

}  // namespace semblance::linear
