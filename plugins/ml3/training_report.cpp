// SPDX-License-Identifier: MIT
#include "training_report.hpp"

#include <functional>
#include <initializer_list>

#include "semblance/parameters.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"

namespace semblance::ml3 {
namespace {

void add_curve(const CccpResult& result, const char* name, const char* label, Report& report,
               const std::function<double(const CccpIteration&)>& value) {
  Curve curve{name, "iteration of the concave-convex procedure", label, {}, {}};
  for (std::size_t t = 0; t < result.iterations.size(); ++t) {
    // The start with random weights has different scores and is not evaluated.
    if (t == 0) continue;
    curve.x.push_back(double(t));
    curve.y.push_back(value(result.iterations[t]));
  }
  if (!curve.x.empty()) report.curve(curve);
}

void report_model(const CccpResult& result, double lambda, std::size_t rows, Report& report) {
  const PathPoint point = path_point(result, lambda, rows);
  report.number("squared_norm", point.squared_norm);
  report.number("objective", point.objective);
  if (!result.evaluation) return;
  report.number("mean_loss", result.evaluation->losses);
  report.number("train_error_rate", point.train_error_rate);
  report.integer("all_negative", static_cast<std::int64_t>(result.evaluation->all_negative));
}

/// Curves and columns that hold shares of the rows, CURVE.LABEL and TABLE.COLUMN.
void add_shares(std::vector<FigureInfo>& figures, std::initializer_list<const char*> names) {
  for (const char* name : names)
    figures.push_back({name, "share of misclassified rows", FigureUnit::share, Better::lower});
}

}  // namespace

std::vector<FigureInfo> cccp_figures() {
  auto figures = common::solver_figures(
      {"objective", "squared_norm", "train_error_rate", "parameters", "train_seconds"});
  figures.push_back(
      {"mean_loss", "mean loss over the training rows", FigureUnit::plain, Better::lower});
  figures.push_back({"all_negative", "training rows for which no model of their class is positive",
                     FigureUnit::count, Better::lower});
  figures.push_back({"steps", "number of descent steps", FigureUnit::count, Better::lower});
  figures.push_back(
      {"updates", "number of steps that changed the model", FigureUnit::count, Better::lower});
  figures.push_back({"projections", "number of projections onto the ball that contains the optimum",
                     FigureUnit::count});
  add_shares(figures, {"running_error_by_iteration.share of errors before each step",
                       "train_error_by_iteration.training error rate",
                       "train_error_by_lambda.training error rate", "path.training error rate"});
  return figures;
}

std::vector<FigureInfo> pegasos_figures() {
  auto figures = common::solver_figures(
      {"objective", "squared_norm", "train_error_rate", "parameters", "train_seconds"});
  add_shares(figures, {"running_error_by_epoch.share of errors before each step"});
  return figures;
}

PathPoint path_point(const CccpResult& result, double lambda, std::size_t rows) {
  const double norm = result.w.squared_norm();
  if (result.evaluation)
    return {lambda, result.evaluation->objective(lambda),
            double(result.evaluation->errors) / double(rows), norm};
  double losses = 1, errors = 1;  // of W = 0
  if (!result.iterations.empty() && result.iterations.back().descent.steps > 0) {
    const DescentOutcome& last = result.iterations.back().descent;
    losses = last.losses / double(last.steps);
    errors = double(last.errors) / double(last.steps);
  }
  return {lambda, lambda / 2 * norm + losses, errors, norm};
}

void report_path(const std::vector<PathPoint>& path, Report& report) {
  Curve objective{"objective_by_lambda", "lambda", "objective", {}, {}};
  Curve error{"train_error_by_lambda", "lambda", "training error rate", {}, {}};
  Table table{"path", "lambda", "", {}, {"objective", "training error rate", "squared norm"}, {}};
  for (const PathPoint& point : path) {
    objective.x.push_back(point.lambda);
    objective.y.push_back(point.objective);
    error.x.push_back(point.lambda);
    error.y.push_back(point.train_error_rate);
    table.rows.push_back(to_text(Value(point.lambda)));
    for (const double value : {point.objective, point.train_error_rate, point.squared_norm})
      table.values.push_back(value);
  }
  report.curve(objective);
  report.curve(error);
  report.table(table);
}

void report_result(const CccpResult& result, double lambda, std::size_t rows, Report& report) {
  report_model(result, lambda, rows, report);
  DescentOutcome sums;
  for (const CccpIteration& i : result.iterations) {
    sums.steps += i.descent.steps;
    sums.updates += i.descent.updates;
    sums.projections += i.descent.projections;
  }
  report.integer("steps", static_cast<std::int64_t>(sums.steps));
  report.integer("updates", static_cast<std::int64_t>(sums.updates));
  report.integer("projections", static_cast<std::int64_t>(sums.projections));

  add_curve(result, "running_loss_by_iteration", "mean loss before each step", report,
            [](const CccpIteration& i) { return i.descent.losses / double(i.descent.steps); });
  add_curve(
      result, "running_error_by_iteration", "share of errors before each step", report,
      [](const CccpIteration& i) { return double(i.descent.errors) / double(i.descent.steps); });
  add_curve(result, "all_negative_by_iteration", "samples without a positive own model", report,
            [](const CccpIteration& i) { return double(i.all_negative); });
  if (result.iterations.size() < 2 || !result.iterations[1].evaluation) return;
  add_curve(result, "objective_by_iteration", "objective", report,
            [&](const CccpIteration& i) { return i.evaluation->objective(lambda); });
  add_curve(result, "train_error_by_iteration", "training error rate", report,
            [&](const CccpIteration& i) { return double(i.evaluation->errors) / double(rows); });
}

void report_pegasos(const PegasosOutcome& result, const PegasosFacts& facts, Report& report,
                    Context& context) {
  // It has no other stopping rule than the number of epochs.
  const Certificate certificate =
      result.stopped ? stop_certificate(context) : Certificate::passes_made;
  report.text("certificate", name(certificate));
  const auto mean_loss = [](const DescentOutcome& e) { return e.losses / double(e.steps); };
  if (result.evaluation) {
    report.number("objective", result.evaluation->objective(facts.lambda));
    report.number("train_error_rate", double(result.evaluation->errors) / double(facts.rows));
  } else {
    const double losses = result.epochs.empty() ? 1 : mean_loss(result.epochs.back());
    report.number("objective", facts.lambda / 2 * facts.squared_norm + losses);
  }
  report.number("squared_norm", facts.squared_norm);
  report.integer("parameters", static_cast<std::int64_t>(facts.parameters));
  if (result.epochs.empty()) return;
  Curve loss{"running_loss_by_epoch", "epoch", "mean loss before each step", {}, {}};
  Curve errors{"running_error_by_epoch", "epoch", "share of errors before each step", {}, {}};
  for (std::size_t e = 0; e < result.epochs.size(); ++e) {
    loss.x.push_back(double(e + 1));
    loss.y.push_back(mean_loss(result.epochs[e]));
    errors.x.push_back(double(e + 1));
    errors.y.push_back(double(result.epochs[e].errors) / double(result.epochs[e].steps));
  }
  report.curve(loss);
  report.curve(errors);
}

}  // namespace semblance::ml3
