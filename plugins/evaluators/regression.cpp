// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "figures/bootstrap.hpp"
#include "figures/judged_targets.hpp"
#include "figures/plane.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

/// The largest number of targets with charts; if there are more, the worst estimated ones are
/// shown.
constexpr std::size_t most_charted = 12;

Table target_table(const std::vector<JudgedTarget>& targets) {
  Table table{"targets", "target", "", {}, {}, {}};
  table.columns.assign(estimate_figure_names.begin(), estimate_figure_names.end());
  table.columns.emplace_back("baseline_rmse");
  table.columns.emplace_back("rows");
  for (const JudgedTarget& target : targets) {
    table.rows.push_back(target.name);
    table.values.insert(table.values.end(), target.figures.begin(), target.figures.end());
    table.values.push_back(target.baseline);
    table.values.push_back(static_cast<double>(target.rows.size()));
  }
  return table;
}

constexpr std::size_t points_of_curve = 401, grid = 160, most_drawn = 4000;

/// The ends of an axis.
struct AxisRange {
  double low = 0;
  double high = 0;
};

/// Those of the least and the largest number, extended by a twentieth of their distance.
AxisRange range_of(std::span<const double> truth, std::span<const double> errors) {
  AxisRange range{truth[0], truth[0]};
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (const double number : {truth[i], truth[i] + errors[i]}) {
      range.low = std::min(range.low, number);
      range.high = std::max(range.high, number);
    }
  const double distance =
      range.high > range.low ? range.high - range.low : std::max(std::abs(range.low), 1.0);
  return {range.low - distance / 20, range.high + distance / 20};
}

/// The share of the rows over the largest error that they have.
Curve error_curve(const std::string& name, std::span<const double> errors) {
  std::vector<double> sorted(errors.begin(), errors.end());
  std::ranges::sort(sorted);
  const auto rows = static_cast<double>(sorted.size());
  Curve curve{name, "error", "share_of_rows", {sorted[0]}, {0}};
  const std::size_t points = std::min(points_of_curve, sorted.size());
  for (std::size_t k = 1; k <= points; ++k) {
    const std::size_t end = k * sorted.size() / points;
    curve.x.push_back(sorted[end - 1]);
    curve.y.push_back(static_cast<double>(end) / rows);
  }
  return curve;
}

/// Estimates over true numbers as points, on both sides of the diagonal. The twentieth with the
/// largest errors is marked. An error is the estimate minus the true number.
PlaneMap estimate_map(const std::string& name, std::span<const double> truth,
                      std::span<const double> errors) {
  const AxisRange range = range_of(truth, errors);
  PlaneMap map;
  map.name = name;
  map.x_label = "true_number";
  map.y_label = "estimate";
  map.groups = {"too low", "too high"};
  map.x_low = map.y_low = range.low;
  map.x_high = map.y_high = range.high;
  map.columns = map.rows = grid;
  map.regions.reserve(grid * grid);
  for (std::size_t y = 0; y < grid; ++y)
    for (std::size_t x = 0; x < grid; ++x) map.regions.push_back(y < x ? 0 : 1);
  map.marked_label = "largest_errors";
  std::vector<double> sizes;
  for (const double error : errors) sizes.push_back(std::abs(error));
  std::ranges::sort(sizes);
  constexpr double level = 0.95;
  const double large = quantile(sizes, level);
  const std::vector<bool> chosen = chosen_rows(0, truth.size(), most_drawn);
  for (std::size_t i = 0; i < truth.size(); ++i)
    if (chosen[i])
      map.points.push_back(
          {truth[i], truth[i] + errors[i], errors[i] < 0 ? 0 : 1, std::abs(errors[i]) > large});
  return map;
}

void report_charts(const Results& test, const std::vector<JudgedTarget>& targets, Report& report) {
  std::vector<const JudgedTarget*> charted;
  charted.reserve(targets.size());
  for (const JudgedTarget& target : targets) charted.push_back(&target);
  // By r2, since targets have different units; those without one come last.
  const auto worst = [](const JudgedTarget* target) {
    const double r2 = target->figures[r2_figure];
    return std::isnan(r2) ? std::numeric_limits<double>::infinity() : r2;
  };
  std::ranges::stable_sort(charted, {}, worst);
  charted.resize(std::min(charted.size(), most_charted));
  std::ranges::sort(charted);
  for (const JudgedTarget* target : charted) {
    std::vector<double> truth;
    for (const std::size_t i : target->rows)
      truth.push_back(test.targets[i * test.target_names.size() + target->index]);
    const std::string suffix = test.target_names.size() > 1 ? "_" + target->name : "";
    report.curve(error_curve("errors" + suffix, target->numbers.errors()));
    report.plane_map(estimate_map("estimates" + suffix, truth, target->numbers.errors()));
  }
}

/// `evaluator/regression`: how far estimates are from the true numbers.
class Regression final : public EvaluatorOf<PortType::estimates, PortType::intervals>,
                         public ReportsIntervals {
 public:
  static Declaration<Regression> declare() {
    using enum FigureUnit;
    using enum Better;
    Declaration<Regression> declaration(
        "evaluator/regression", "RMSE, mean absolute error, R2 and rank figures of estimates");
    declaration
        .documentation(
            "Compares estimates, or those within intervals, with the true numbers of the test "
            "rows. An error is the estimate minus the true number. rmse, mae, "
            "median_absolute_error and mean_error are in the unit of the target. r2 is 1 - (sum of "
            "squared errors) / (sum of squared differences from the mean), with the mean of the "
            "test rows, as in scikit-learn: 1 is best, and 0 is what their mean would reach, which "
            "a solver cannot know. baseline_rmse is the RMSE of the mean of the training rows, "
            "which it can; it is omitted where a model is applied to new data.\n"
            "\n"
            "Two figures ask for the order only. spearman is the correlation of the ranks of "
            "estimates and true numbers; equal numbers have the mean of their ranks. c_index (the "
            "concordance index) is the share of the pairs of rows with different true numbers "
            "whose estimates are in the same order; equal estimates count half. 0.5 is chance.\n"
            "\n"
            "With several target numbers each figure is the mean over them, as scikit-learn's "
            "uniform_average, and the table `targets` has those of each. If they have different "
            "units, r2 and the figures of order are the ones to look at.\n"
            "\n"
            "An undefined figure is not reported, with a warning: r2, spearman and c_index of "
            "equal true numbers (one test row, say), and spearman of equal estimates.\n"
            "\n"
            "The report shows the share of rows over the error, and estimates over true numbers, "
            "where the twentieth of the rows with the largest errors is marked; with more than 12 "
            "targets, of the 12 with the smallest r2.\n"
            "\n" +
            intervals_documentation() +
            " A draw in which a figure is undefined is drawn again.\n"
            "\n"
            "Numbers that are unknown are excluded, and so are rows without any, with a warning. "
            "All sums are computed in double precision, so an offset common to all numbers costs "
            "only the digits that the estimates, in float32, do not have.")
        .reference(
            "Spearman, The proof and measurement of association between two things, 1904; Harrell, "
            "Califf, Pryor, Lee and Rosati, Evaluating the yield of medical tests, 1982 "
            "(concordance index); Efron, Nonparametric standard errors and confidence intervals, "
            "1981")
        .complexity("(1 + bootstrap) x targets x n log n for n rows")
        .random()
        .reports({"rmse", "root of the mean squared error", plain, lower, true})
        .reports({"mae", "mean absolute error", plain, lower, true})
        .reports({"median_absolute_error", "median of the absolute errors", plain, lower})
        .reports({"mean_error", "mean of estimate minus true number; 0 is best", plain})
        .reports({"r2", "share of the test rows' variance that is explained; at most 1", plain,
                  higher, true})
        .reports(
            {"spearman", "correlation of the ranks of estimates and true numbers", plain, higher})
        .reports({"c_index", "share of the pairs of rows whose estimates are in the right order",
                  share, higher})
        .reports({"baseline_rmse", "RMSE of the mean of the training rows", plain, lower})
        .reports({"rmse_low", "lower end of its confidence interval", plain, lower})
        .reports({"rmse_high", "upper end of its confidence interval", plain, lower})
        .reports({"r2_low", "lower end of its confidence interval", plain, higher})
        .reports({"r2_high", "upper end of its confidence interval", plain, higher})
        .reports(known_rows_figures())
        .reports({"targets.rows", "number of test rows whose number is known", count})
        .reports({"errors.error", "estimate minus true number", plain})
        .reports({"errors.share_of_rows", "share of the rows with at most this error", share})
        .reports({"errors_*.error", "estimate minus true number", plain})
        .reports({"errors_*.share_of_rows", "share of the rows with at most this error", share})
        .example(R"(
        table: {is: source/friedman, train: 200, test: 200}
        svr:   {is: solver/kernel_svr, kernel: {is: similarity/rbf, gamma: 1}, C: 10, from: table}
        test:  {is: evaluator/regression, bootstrap: 200, from: svr})");
    declare_bootstrap(declaration);
    return declaration;
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    const std::vector<JudgedTarget> targets = judged_targets(test, context);
    const std::vector<std::size_t> known = known_samples(targets, test.outputs.rows);
    report_known_rows(known.size(), test.outputs.rows, "have no target number", report, context);
    std::vector<EstimateFigures> all;
    double baselines = 0;
    for (const JudgedTarget& target : targets) {
      all.push_back(target.figures);
      baselines += target.baseline;
    }
    const EstimateFigures mean = mean_over_targets(all);
    for (std::size_t f = 0; f < mean.size(); ++f)
      if (std::isnan(mean[f]))
        context.log(LogLevel::warning, std::string(estimate_figure_names[f]) +
                                           " is undefined and not reported, since all true numbers "
                                           "or all estimates of the test rows are equal");
    if (!std::isnan(baselines))
      report.number("baseline_rmse", baselines / static_cast<double>(targets.size()));
    if (test.target_names.size() > 1) report.table(target_table(targets));
    report_defined(targets, mean, known, groups_of(test, known), report, context);
    report_charts(test, targets, report);
  }

 private:
  /// The figures that are defined, with intervals. `known` are the samples with these groups.
  void report_defined(const std::vector<JudgedTarget>& targets, const EstimateFigures& mean,
                      const std::vector<std::size_t>& known, std::span<const std::int32_t> groups,
                      Report& report, Context& context) const {
    std::vector<std::size_t> defined;
    for (std::size_t f = 0; f < mean.size(); ++f)
      if (!std::isnan(mean[f])) defined.push_back(f);
    const auto of_draw =
        [&](std::span<const std::uint32_t> counts) -> std::optional<std::vector<double>> {
      std::vector<std::uint32_t> of_row(known.back() + 1), own;
      for (std::size_t k = 0; k < known.size(); ++k) of_row[known[k]] = counts[k];
      std::vector<EstimateFigures> all;
      for (const JudgedTarget& target : targets) {
        context.check_stop();
        own.clear();
        for (const std::size_t i : target.rows) own.push_back(of_row[i]);
        all.push_back(target.numbers.figures(own));
      }
      const EstimateFigures drawn = mean_over_targets(all);
      std::vector<double> values;
      for (const std::size_t f : defined) {
        if (std::isnan(drawn[f])) return std::nullopt;
        values.push_back(drawn[f]);
      }
      return values;
    };
    std::vector<std::string> names;
    names.reserve(defined.size());
    for (const std::size_t f : defined) names.emplace_back(estimate_figure_names[f]);
    report_figures(names, {"rmse", "r2"}, groups, of_draw, report, context);
  }
};

}  // namespace

ComponentEntry declare_regression() { return Regression::declare().entry(); }

}  // namespace semblance::evaluators
