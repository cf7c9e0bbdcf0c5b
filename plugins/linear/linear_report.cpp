// SPDX-License-Identifier: MIT
#include "linear_report.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "convergence_report.hpp"
#include "linear_model.hpp"
#include "problem/sweep.hpp"
#include "semblance/collectives.hpp"
#include "semblance/parameters.hpp"
#include "semblance/predicted_class.hpp"
#include "solver_figures.hpp"

namespace semblance::linear {
namespace {

double gap_share(double gap, double objective) { return objective > 0 ? gap / objective : 0; }

std::size_t nonzeros(const double* values, std::size_t count) {
  return count - static_cast<std::size_t>(std::count(values, values + count, 0.0));
}

/// The sums over all problems of a solution.
struct Total {
  explicit Total(const Solution& solution) {
    for (const Outcome& o : solution.outcomes) {
      primal += o.primal;
      dual += o.dual;
      gradient = std::max(gradient, o.gradient_norm);
    }
    for (std::size_t c = 0; c < solution.weights.count(); ++c) {
      const double* w = solution.weights.row(c);
      squared_norm += dot(w, w, solution.weights.cols());
      weights += nonzeros(w, solution.weights.cols());
    }
  }
  double gap() const { return gap_share(primal - dual, primal); }

  double primal = 0, dual = 0, gradient = 0, squared_norm = 0;
  std::size_t weights = 0;
};

std::string problem_name(std::size_t problem, const Solution& solution, const LinearTask& task) {
  if (solution.outcomes.size() < solution.weights.count()) return "all classes";
  if (task.regression.problems > 0) return task.regression.names[problem];
  const bool single = solution.outcomes.size() == 1;  // it separates the second of two classes
  return task.training.classes[single ? 1 : problem];
}

Table problem_table(const Solution& solution, const LinearTask& task) {
  Table table{"objectives",
              "problem",
              "",
              {},
              {"objective", "lower bound", "relative gap", "relative gradient norm", "squared norm",
               "nonzeros"},
              {}};
  const std::size_t vectors = solution.weights.count() / solution.outcomes.size();
  for (std::size_t c = 0; c < solution.outcomes.size(); ++c) {
    const Outcome& o = solution.outcomes[c];
    double squared_norm = 0;
    std::size_t weights = 0;
    for (std::size_t v = c * vectors; v < (c + 1) * vectors; ++v) {
      const double* w = solution.weights.row(v);
      squared_norm += dot(w, w, solution.weights.cols());
      weights += nonzeros(w, solution.weights.cols());
    }
    table.rows.push_back(problem_name(c, solution, task));
    for (const double value : {o.primal, o.dual, gap_share(o.primal - o.dual, o.primal),
                               o.gradient_norm, squared_norm, static_cast<double>(weights)})
      table.values.push_back(value);
  }
  return table;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %%", 100 * share);
  return text;
}

/// The remedy for objectives that settled before the tolerance was proved: the gap between
/// objective and bound shows whether the result is good enough.
std::string remedy_for_stalled(const Solution& solution, const LinearTask& task) {
  constexpr double small = 1e-3;
  double gap = 0;
  std::size_t worst = solution.stalled.front();
  for (const std::size_t c : solution.stalled) {
    const Outcome& o = solution.outcomes[c];
    const double left = (o.primal - o.dual) / o.primal;
    if (left <= gap) continue;
    gap = left;
    worst = c;
  }
  const std::size_t others = solution.stalled.size() - 1;
  return "the objective of " + task.problem_name(worst) +
         (others > 0 ? " and " + std::to_string(others) + " others" : "") + " settled " +
         percent(gap) + " above its lower bound, but the tolerance is " + percent(task.tolerance) +
         (gap <= small
              ? ": the model is as good as a proved one; a larger tolerance would confirm it"
              : ": column scales differ widely, or C is very large; normalize its input "
                "(normalizer/mean_norm for similarities, normalizer/zscore for columns of a "
                "table) or lower C");
}

/// The weight of each named column, if there are not too many to read.
std::optional<Table> weight_table(const Solution& solution, const LinearTask& task) {
  constexpr std::size_t most = 200;
  const auto& columns = task.training.columns;
  if (columns.empty() || columns.size() > most) return std::nullopt;
  const bool numbers = task.regression.problems > 0;
  Table table{"weights", "column", numbers ? "target" : "class", {columns.begin(), columns.end()},
              {},        {}};
  const std::size_t vectors = solution.weights.count();
  // A single vector separates the second of two classes.
  for (std::size_t v = 0; v < vectors; ++v)
    table.columns.push_back(numbers ? task.regression.names[v]
                                    : task.training.classes[vectors == 1 ? 1 : v]);
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t v = 0; v < vectors; ++v) table.values.push_back(solution.weights.row(v)[c]);
  return table;
}

}  // namespace

std::vector<FigureInfo> machine_figures() {
  auto figures =
      common::solver_figures({"objective", "duality_gap", "gradient_norm", "squared_norm",
                              "iterations", "parameters", "train_seconds"});
  figures.push_back({"lower_bound", "lower bound of the objective, from a feasible dual point"});
  figures.push_back({"sweeps", "number of sweeps over the rows", FigureUnit::plain, Better::lower});
  figures.push_back({"nonzeros", "number of non-zero weights", FigureUnit::count});
  return figures;
}

std::vector<FigureInfo> path_figures() {
  std::vector<FigureInfo> figures;
  for (const char* name : {"path.training error", "training_error_by_cost.training error"})
    figures.push_back(
        {name, "share of misclassified training rows", FigureUnit::share, Better::lower});
  return figures;
}

void report_solution(const Solution& solution, const LinearTask& task, Report& report) {
  const Total total(solution);
  report.text("certificate", name(solution.certificate));
  if (solution.certificate == Certificate::iteration_limit && !solution.stalled.empty())
    report.text("remedy", remedy_for_stalled(solution, task));
  report.number("objective", total.primal);
  report.number("lower_bound", total.dual);
  report.number("duality_gap", total.gap());
  report.number("gradient_norm", total.gradient);
  report.number("squared_norm", total.squared_norm);
  report.integer("iterations", static_cast<std::int64_t>(solution.iterations));
  report.number("sweeps", solution.sweeps);
  report.integer("nonzeros", static_cast<std::int64_t>(total.weights));
  report.integer("parameters",
                 static_cast<std::int64_t>(solution.weights.count() * solution.weights.cols()));
  Curve curve{"objective_by_iteration", "iteration", "objective", {}, solution.objectives};
  for (std::size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(static_cast<double>(i));
  report.curve(curve);
  numerics::Convergence convergence = solution.convergence;
  // A bound that is found after an iterate may end the training.
  convergence.record_last(solution.iterations, solution.largest_gap());
  common::report_convergence(convergence.points(), "iteration", "largest relative duality gap",
                             task.tolerance, report);
  report.table(problem_table(solution, task));
  if (const auto weights = weight_table(solution, task)) report.table(*weights);
}

Misclassified misclassified(const Solution& solution, const LinearTask& task,
                            const std::function<bool(std::size_t row)>& takes, Context& context) {
  const Rows& rows = task.training.rows;
  LinearModel model(solution.weights, rows.cols(), task.classes(), task.bias);
  model.add(solution.offsets);
  if (task.sparse()) model.take_sparse_rows();
  const RowParts parts(rows.rows());
  std::vector<double> found(2);
  sum_over_parts(context, parts, found, [&](std::size_t part, std::span<double> sum) {
    FloatMatrix scores(1, task.classes());
    for (std::size_t i = parts.first_row(part); i < parts.first_row(part + 1); ++i) {
      if (!takes(i)) continue;
      model.scores(rows.view(i, 1), scores.view());
      if (predicted_class(scores.view().row_span(0)) != task.training.labels[i])
        sum[0] += task.row_weight(i);
      sum[1] += task.row_weight(i);
      rows.release(i, 1);
    }
  });
  return {found[0], found[1]};
}

void report_path(const std::vector<Solution>& solutions, const LinearTask& task, Report& report,
                 Context& context) {
  if (solutions.size() < 2 || context.stop_requested() != StopReason::none) return;
  Curve objective{"objective_by_cost", "C", "objective", task.costs, {}};
  Curve error{"training_error_by_cost", "C", "training error", task.costs, {}};
  Curve weights{"nonzeros_by_cost", "C", "number of non-zero weights", task.costs, {}};
  Table table{"path",
              "C",
              "",
              {},
              {"objective", "relative gap", "training error", "nonzeros", "iterations"},
              {}};
  LinearTask unweighted = task.on(task.training);
  unweighted.row_weights.clear();
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const Total total(solutions[i]);
    const auto all = [](std::size_t) { return true; };
    const Misclassified errors = misclassified(solutions[i], unweighted, all, context);
    objective.y.push_back(total.primal);
    error.y.push_back(errors.wrong / errors.all);
    weights.y.push_back(static_cast<double>(total.weights));
    table.rows.push_back(to_text(Value(task.costs[i])));
    for (const double value : {total.primal, total.gap(), error.y.back(), weights.y.back(),
                               static_cast<double>(solutions[i].iterations)})
      table.values.push_back(value);
  }
  for (const Curve* curve : {&objective, &error, &weights}) report.curve(*curve);
  report.table(table);
  const auto open =
      std::ranges::count(solutions, Certificate::iteration_limit, &Solution::certificate);
  if (open > 0)
    context.log(LogLevel::warning, "training ended at the iteration limit for " +
                                       std::to_string(open) + " of " +
                                       std::to_string(solutions.size()) +
                                       " values of C; the table 'path' has the gaps that are left");
}

}  // namespace semblance::linear
