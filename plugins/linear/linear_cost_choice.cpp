// SPDX-License-Identifier: MIT
#include "linear_cost_choice.hpp"

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "about_means.hpp"
#include "inner_context.hpp"
#include "linear_report.hpp"
#include "newton/exact_hessian.hpp"
#include "newton/newton_memory.hpp"
#include "problem/centred_rows.hpp"
#include "semblance/collectives.hpp"

namespace semblance::linear {
namespace {

/// A choice among decades needs no closer optimum.
constexpr double choice_tolerance = 1e-3;

/// Bytes of the rows in coordinates of their span, while these are computed.
std::size_t span_bytes(std::size_t rows) noexcept {
  return rows * (2 * padded(rows) * sizeof(double) + rows * sizeof(float));
}

/// Whether the products of the rows, computed once, cost less than the sweeps that they save: 16.6
/// s became 1.8 s for 360 rows of 8,000 columns. Depends only on sizes, so that the choice depends
/// on nothing else.
bool worth_choosing_in_span(const LinearTask& task) noexcept {
  constexpr std::size_t columns_per_row = 2, rows_per_problem = 5000;
  const std::size_t rows = task.training.rows.rows(), d = task.dimension();
  return columns_per_row * rows <= d && rows <= rows_per_problem * task.problems() &&
         span_bytes(rows) <= hessian_allowance(rows, d);
}

/// The rows of all ranks in as many coordinates as there are rows, with the same products, and so
/// the same machines (the representer theorem; Chapelle 2007, section 3): the Cholesky factor of
/// the products. Linearly dependent rows leave only rounding errors on its diagonal: enough is
/// added that these cannot make it negative. Unusable if a stop was requested. Collective.
FloatMatrix coordinates_of(const Rows& rows, double bias, Context& context) {
  openblas_set_num_threads(1);  // the threads are the context's
  const std::size_t n = rows.rows();
  FloatMatrix found(n, n);
  const Vectors<double> products = row_products(rows, bias, {}, context);
  if (products.count() == 0) return found;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, products.row(i)[i]);
  const double raise =
      4 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest;
  // If all rows are 0, the root is still a float32.
  const std::vector<double> shifts(n, std::max(raise, 1e-60));
  Vectors<double> factor(n, n);
  const auto fill = [&](std::size_t i, double* to) { std::copy_n(products.row(i), i + 1, to); };
  if (!raised_factor(shifts, fill, factor, context)) return found;
  for (std::size_t i = 0; i < n; ++i)
    std::transform(factor.row(i), factor.row(i) + i + 1, &found.values[i * n],
                   [](double x) { return static_cast<float>(x); });
  return found;
}

/// The samples of all ranks in coordinates of their span, about the means of all if the task is
/// about means: those far from 0 would lose digits. Each fold is then solved about its own means.
MatrixRows in_span_of(const LinearTask& task, Context& context) {
  const Rows& rows = task.training.rows;
  const std::size_t needed = span_bytes(rows.rows()) + row_products_bytes(rows.rows());
  if (needed > context.memory_budget())
    throw MemoryError("to choose C, the products of " + std::to_string(rows.rows()) +
                      " rows take " + std::to_string((needed >> 20) + 1) + " MiB, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are left; raise --memory, or give C a number");
  CentredRows centred;
  if (task.about_means) centred.fill(rows, column_moments(task, context).means, context);
  const Rows& own = task.about_means ? static_cast<const Rows&>(centred) : rows;
  return MatrixRows(coordinates_of(own, task.about_means ? 0 : task.bias, context));
}

}  // namespace

std::vector<double> automatic_costs(const LinearTask& task, Context& context) {
  const ColumnMoments moments = column_moments(task, context);
  double square = 0;
  for (std::size_t j = 0; j < moments.means.size(); ++j) {
    const double mean = task.about_means ? 0 : moments.means[j];
    square += moments.variances[j] + mean * mean;
  }
  constexpr int last_decade = 4;
  return common::cost_decades(square > 0 ? 1 / square : 1, last_decade);
}

common::CostChoice choose_cost(const LinearTask& task, std::span<const std::size_t> fold_of,
                               const WeightsOf& weights_of, bool in_span, const SolveCosts& solve,
                               Context& context) {
  common::CostChoice choice{task.costs, {}, 0, 0, 0, !task.row_weights.empty()};
  std::optional<MatrixRows> span;
  if (in_span && worth_choosing_in_span(task)) span = in_span_of(task, context);
  if (context.stop_requested() != StopReason::none) return choice;
  const Rows& rows = span ? static_cast<const Rows&>(*span) : task.training.rows;
  const TrainingSet set{rows, span ? Layout::vector(rows.cols()) : task.training.layout,
                        task.training.labels, task.training.classes};
  LinearTask trial = task.on(set);
  if (span && !task.about_means) trial.bias = 0;  // it is in the products
  trial.tolerance = std::max(task.tolerance, choice_tolerance);
  common::InnerContext inner(
      context, common::left_of(context.memory_budget(), span ? span_bytes(rows.rows()) : 0));
  const std::size_t folds = common::fold_count(fold_of);
  common::HeldOutErrors sums{std::vector<double>(task.costs.size()), 0};
  for (std::size_t fold = 0; fold < folds; ++fold) {
    context.progress(static_cast<double>(fold), static_cast<double>(folds + 1));
    std::vector<char> trains;
    for (const std::size_t own : fold_of) trains.push_back(own != fold ? 1 : 0);
    trial.row_weights = weights_of(trains);
    const std::vector<Solution> solutions = solve(trial, inner);
    if (context.stop_requested() != StopReason::none) break;
    for (const Solution& solution : solutions) {
      ++choice.trainings;
      if (solution.certificate == Certificate::iteration_limit) ++choice.unconverged;
    }
    trial.row_weights = task.row_weights;
    Misclassified errors;
    for (std::size_t c = 0; c < solutions.size(); ++c) {
      const auto held_out = [&](std::size_t row) { return fold_of[row] == fold; };
      errors = misclassified(solutions[c], trial, held_out, context);
      sums.wrong[c] += errors.wrong;
    }
    sums.total += errors.all;
  }
  common::choose(sums, choice);
  return choice;
}

}  // namespace semblance::linear
