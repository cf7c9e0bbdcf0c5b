// SPDX-License-Identifier: MIT
#include "linear_cost_choice.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "about_means.hpp"
#include "all_rows.hpp"
#include "inner_context.hpp"
#include "linear_model.hpp"
#include "newton/newton_memory.hpp"
#include "newton/span_newton.hpp"
#include "problem/centred_rows.hpp"
#include "semblance/collectives.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::linear {
namespace {

/// A choice among decades needs no closer optimum.
constexpr double choice_tolerance = 1e-3;

/// Whether the products of the rows, computed once, cost less than the sweeps that they save.
/// Depends only on sizes, so that the choice depends on nothing else.
bool worth_choosing_in_span(const LinearTask& task) noexcept {
  constexpr std::size_t columns_per_row = 2, rows_per_problem = 5000;
  const std::size_t rows = task.training.rows.rows(), d = task.dimension();
  return columns_per_row * rows <= d && rows <= rows_per_problem * task.problems() &&
         span_bytes(rows, d, 1) <= hessian_allowance(rows, d);
}

/// The samples in coordinates of their span.
struct InSpan {
  std::unique_ptr<const Rows> own;  // a copy, to which `span` points: the samples about their means
  std::unique_ptr<const AllRows> all;  // or those of all ranks
  std::optional<RowSpan> span;
  std::size_t bytes = 0;
};

/// Sets `own` to the samples about the means of all, as those far from 0 would lose digits in other
/// coordinates; each fold is then solved about its own means. Returns the bytes of the copy.
std::size_t centre(const LinearTask& task, InSpan& found, Context& context) {
  const std::vector<double> means = column_moments(task, context).means;
  auto centred = std::make_unique<CentredRows>();
  centred->fill(task.training.rows, means, context);
  const std::size_t bytes = centred->bytes();
  found.own = std::move(centred);
  return bytes;
}

InSpan span_of(const LinearTask& task, Context& context) {
  const Rows& rows = task.training.rows;
  const bool spread = context.collectives().ranks() > 1;
  InSpan found;
  found.bytes = spread ? AllRows::bytes(rows) : 0;
  if (task.about_means) found.bytes += centre(task, found, context);
  const Rows& own = found.own ? *found.own : rows;
  const std::size_t needed =
      found.bytes + span_bytes(rows.rows(), task.dimension(), context.threads());
  if (needed > context.memory_budget())
    throw MemoryError("to choose C, the products of " + std::to_string(rows.rows()) +
                      " rows take " + std::to_string((needed >> 20) + 1) + " MiB, but " +
                      std::to_string(context.memory_budget() >> 20) +
                      " MiB are left; raise --memory, or give C a number");
  if (spread) found.all = std::make_unique<const AllRows>(own, context);
  found.span = RowSpan::of(found.all ? static_cast<const Rows&>(*found.all) : own,
                           task.about_means ? 0 : task.bias, context);
  found.bytes += RowSpan::bytes(rows.rows());
  return found;
}

/// Adds the errors of all solutions on a fold.
void add_errors(const LinearTask& task, const std::vector<Solution>& solutions,
                std::span<const std::size_t> fold_of, std::size_t fold, common::HeldOutErrors& sums,
                Context& context) {
  const Rows& rows = task.training.rows;
  const RowParts parts(rows.rows());
  double total = 0;
  for (std::size_t c = 0; c < solutions.size(); ++c) {
    LinearModel model(solutions[c].weights, rows.cols(), task.classes(), task.bias);
    model.add(solutions[c].offsets);
    if (task.sparse()) model.take_sparse_rows();
    std::vector<double> found(2);  // wrong ones, and all
    sum_over_parts(context, parts, found, [&](std::size_t part, std::span<double> sum) {
      FloatMatrix scores(1, task.classes());
      for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
        if (fold_of[i] != fold) continue;
        const MatrixView row = rows.view(i, 1);
        model.scores(row, scores.view());
        if (predicted_class(scores.view().row_span(0)) != task.training.labels[i])
          sum[0] += task.row_weight(i);
        sum[1] += task.row_weight(i);
        rows.release(i, 1);
      }
    });
    sums.wrong[c] += found[0];
    total = found[1];
  }
  sums.total += total;
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
  InSpan small;
  if (in_span && worth_choosing_in_span(task)) small = span_of(task, context);
  if (context.stop_requested() != StopReason::none) return choice;
  const Rows& rows = small.span ? small.span->coordinates() : task.training.rows;
  const TrainingSet set{rows, small.span ? Layout::vector(rows.cols()) : task.training.layout,
                        task.training.labels, task.training.classes};
  LinearTask trial{set,
                   task.costs,
                   {},
                   small.span && !task.about_means ? 0 : task.bias,
                   std::max(task.tolerance, choice_tolerance),
                   task.max_iterations,
                   {},
                   task.about_means};
  common::InnerContext inner(context, context.memory_budget() - small.bytes);
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
    add_errors(trial, solutions, fold_of, fold, sums, context);
  }
  common::choose(sums, choice);
  return choice;
}

}  // namespace semblance::linear
