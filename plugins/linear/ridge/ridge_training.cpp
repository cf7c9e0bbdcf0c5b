// SPDX-License-Identifier: MIT
#include "ridge/ridge_training.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "inner_context.hpp"
#include "ridge/ridge_fit.hpp"
#include "semblance/solver.hpp"
#include "solver_figures.hpp"

namespace semblance::linear {
namespace {

/// A stop requires a model all the same.
class WithoutStop final : public common::InnerContext {
 public:
  explicit WithoutStop(Context& context) : common::InnerContext(context, context.memory_budget()) {}
  StopReason stop_requested() const noexcept override { return StopReason::none; }
};

LinearModel model_of(const RidgeFit& fit, const RidgeData& data, std::size_t scores) {
  const std::size_t m = data.outputs(), d = data.cols();
  Vectors<double> vectors(m, d + 1);
  for (std::size_t k = 0; k < m; ++k) {
    const double* w = fit.weights.row(k);
    std::copy_n(w, d, vectors.row(k));
    vectors.row(k)[d] = data.target_means()[k] - dot(w, data.centre().data(), d);
  }
  return {vectors, d, scores, 1};
}

void report_weights(const RidgeFit& fit, std::span<const std::string> columns,
                    std::span<const std::string> targets, Report& report) {
  constexpr std::size_t most = 200;
  if (columns.empty() || columns.size() > most) return;
  Table table{"weights",
              "column",
              "target",
              {columns.begin(), columns.end()},
              {targets.begin(), targets.end()},
              {}};
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t k = 0; k < targets.size(); ++k) table.values.push_back(fit.weights.row(k)[j]);
  report.table(table);
}

void report_fit(const RidgeFit& fit, bool stopped, Report& report, const Context& context) {
  const bool optimal = fit.violation <= ridge_tolerance;
  const Certificate reached = optimal ? Certificate::converged : Certificate::iteration_limit;
  report.text("certificate", name(stopped ? stop_certificate(context) : reached));
  if (!stopped && !optimal)
    report.text("remedy",
                "rounding leaves a gradient above 1e-9: columns depend on each other, or their "
                "scales differ widely, and the penalty is too small to be seen beside them; raise "
                "it, remove such columns, or put normalizer/zscore before");
  report.number("objective", fit.objective);
  report.number("gradient_norm", fit.gradient_norm);
  report.number("violation", fit.violation);
  report.number("squared_norm", fit.squared_norm);
  report.integer("parameters",
                 static_cast<std::int64_t>(fit.weights.count() * (fit.weights.cols() + 1)));
}

}  // namespace

common::LeftOutSamples left_out_samples(const RidgeData& data, std::span<const double> weights,
                                        std::span<const std::string> targets) {
  common::LeftOutSamples samples{{}, weights, targets};
  for (const WeightedRow& used : data.used()) samples.rows.push_back(used.row);
  return samples;
}

std::vector<std::vector<double>> left_out_by_groups(
    const Rows& rows, std::span<const double> targets, std::size_t outputs,
    std::span<const std::size_t> groups,
    const std::function<std::vector<double>(std::size_t row)>& weights_of,
    std::span<const double> penalties, bool intercept, Context& context) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < groups.size(); ++i) members[groups[i]].push_back(i);
  std::vector<std::vector<double>> errors(penalties.size());
  for (const auto& [group, own] : members) {
    const std::vector<double> weights = weights_of(own.front());
    if (weights[own.front()] == 0) continue;
    const RidgeData data(rows, targets, outputs, weights, intercept, context);
    const auto fits = make_ridge_fits(data, context);
    std::vector<char> is_own(groups.size());
    for (const std::size_t i : own) is_own[i] = 1;
    for (std::size_t p = 0; p < penalties.size(); ++p) {
      const RidgeFit fit = penalties.size() == 1 ? fits->fit(penalties[p], context)
                                                 : fits->trial(penalties[p], context);
      errors[p].resize(fit.left_out.size());
      for (std::size_t i = 0; i < data.rows() && !fit.left_out.empty(); ++i)
        if (is_own[data.used()[i].row] != 0)
          std::copy_n(fit.left_out.data() + i * outputs, outputs, errors[p].data() + i * outputs);
    }
  }
  return errors;
}

std::vector<FigureInfo> ridge_figures() {
  return common::solver_figures(
      {"objective", "gradient_norm", "violation", "squared_norm", "parameters", "train_seconds"});
}

TrainedRidge train_ridge(const RidgeData& data, std::span<const double> penalties,
                         const common::LeftOutSamples& samples, const common::LeftOutFigure& figure,
                         std::size_t scores, std::span<const std::string> columns,
                         const LeftOutErrors& left_out, Report& report, Context& context) {
  common::PenaltyChoice<RidgeFit> choice(samples, figure, constant_fit(data, penalties.front()));
  std::unique_ptr<RidgeFits> fits;
  bool stopped = false;
  try {
    std::vector<std::vector<double>> errors;
    if (left_out) errors = left_out(penalties);
    fits = make_ridge_fits(data, context);
    report.text("products_of", fits->products_of());
    const bool single = penalties.size() == 1;
    std::size_t next = 0;
    choice.choose(penalties, context, [&](double penalty) {
      RidgeFit fit = single ? fits->fit(penalty, context) : fits->trial(penalty, context);
      if (left_out) fit.left_out = std::move(errors[next++]);
      return fit;
    });
    if (choice.best().weights.count() == 0) {  // a trial by products of rows alone
      std::vector<double> of_trial = std::move(choice.best().left_out);
      choice.best() = fits->fit(choice.best().penalty, context);
      // Those of the fit have the weights of all samples.
      if (left_out) choice.best().left_out = std::move(of_trial);
    }
  } catch (const Cancelled&) {
    stopped = true;
    WithoutStop finishing(context);
    if (fits) fits->add_weights(choice.best(), finishing);
  }
  report_fit(choice.best(), stopped, report, context);
  report_weights(choice.best(), columns, samples.targets, report);
  choice.report(report, context);
  return {model_of(choice.best(), data, scores), std::move(choice.best().left_out)};
}

}  // namespace semblance::linear
