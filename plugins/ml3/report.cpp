// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <functional>

namespace semblance::ml3 {
namespace {

void add_curve(const CccpResult& result, const char* name, const char* label, Report& report,
               const std::function<double(const CccpIteration&)>& value) {
  Curve curve{name, "iteration of the concave-convex procedure", label, {}, {}};
  for (std::size_t t = 0; t < result.iterations.size(); ++t) {
    // The start with random weights has scores of its own, and is evaluated nowhere.
    if (t == 0) continue;
    curve.x.push_back(double(t));
    curve.y.push_back(value(result.iterations[t]));
  }
  if (!curve.x.empty()) report.curve(curve);
}

void report_model(const CccpResult& result, double lambda, std::size_t rows, Report& report) {
  const double norm = result.w.squared_norm();
  report.number("squared_norm", norm);
  if (!result.evaluation) {
    double losses = 1;  // of W = 0
    if (!result.iterations.empty()) {
      const DescentOutcome& last = result.iterations.back().descent;
      losses = last.losses / double(last.steps);
    }
    report.number("objective", lambda / 2 * norm + losses);
    return;
  }
  report.number("objective", result.evaluation->objective(lambda));
  report.number("mean_loss", result.evaluation->losses);
  report.number("train_error_rate", double(result.evaluation->errors) / double(rows));
  report.integer("all_negative", static_cast<std::int64_t>(result.evaluation->all_negative));
}

}  // namespace

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

}  // namespace semblance::ml3
