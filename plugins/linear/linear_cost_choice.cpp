// SPDX-License-Identifier: MIT
#include "linear_cost_choice.hpp"

#include <algorithm>

#include "about_means.hpp"
#include "inner_context.hpp"
#include "linear_model.hpp"
#include "semblance/collectives.hpp"
#include "semblance/predicted_class.hpp"

namespace semblance::linear {
namespace {

/// A choice among decades needs no closer optimum.
constexpr double choice_tolerance = 1e-3;

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
                               const WeightsOf& weights_of, const SolveCosts& solve,
                               Context& context) {
  common::CostChoice choice{task.costs, {}, 0, 0, 0, !task.row_weights.empty()};
  LinearTask trial = task.on(task.training);
  trial.tolerance = std::max(task.tolerance, choice_tolerance);
  common::InnerContext inner(context, context.memory_budget());
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
