// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "conformal_sets.hpp"
#include "interval_formula.hpp"
#include "outward_ends.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"

namespace semblance::calibrators {
namespace {

/// `calibrator/conformal_quantiles`: moves the ends of a regressor's intervals so that they contain
/// the true number as often as asked for.
class ConformalQuantiles final : public IntervalCorrector, public Exportable {
 public:
  static Declaration<ConformalQuantiles> declare();
  void fit(const HeldOutEstimates& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  double margin(const HeldOutEstimates& held_out, std::size_t target) const;
  void report_margins(const HeldOutEstimates& held_out, Report& report, Context& context) const;

  double coverage_ = 0.9;
  /// By target number: how far the ends are moved outwards, or inwards if negative; infinite: it
  /// has too few samples.
  std::vector<double> margins_;
};

Declaration<ConformalQuantiles> ConformalQuantiles::declare() {
  using enum FigureUnit;
  using enum Better;
  return Declaration<ConformalQuantiles>(
             "calibrator/conformal_quantiles",
             "Corrects a regressor's intervals so that they contain the number as often as asked")
      .documentation(
          "Follows a regressor that gives intervals, such as solver/quantile_regression. All ends "
          "are moved outwards by a margin, or inwards where intervals contain the number too "
          "often. "
          "So intervals contain the number for about the share `coverage` of all rows, however "
          "good "
          "the regressor is, and stay wide where it found the numbers to spread, and narrow "
          "elsewhere. No end is moved across the estimate. Several target numbers have margins of "
          "their own, and each is covered by itself.\n"
          "\n"
          "Guarantee: the error of a held-out row is how far its number is outside of its "
          "interval, "
          "negative for one inside; the margin is the k-th smallest of the n errors, k = "
          "ceil(coverage (n + 1)). If the errors of the held-out rows and of a new row are "
          "exchangeable, its interval contains the true number with a probability of at least "
          "`coverage`, on average over held-out and new rows; what calibrator/conformal_intervals "
          "says about folds and other distributions holds here, too. With fewer than coverage / "
          "(1 - coverage) rows (9 for 0.9) intervals are infinite, with a warning. The ends are "
          "rounded outwards.")
      .reference(
          "Romano, Patterson and Candes, Conformalized quantile regression, 2019, algorithm 1; "
          "Barber, Candes, Ramdas and Tibshirani, Predictive inference with the jackknife+, 2021 "
          "(what folds do to the guarantee)")
      .takes_weights()
      .complexity("n log n for n rows")
      .parameter("coverage", &ConformalQuantiles::coverage_,
                 "the share of rows whose interval contains the true number", above(0), below(1))
      .reports(held_out_figures())
      .reports({"margins.margin", "how far the ends are moved outwards, in the target's unit"})
      .example(R"(
        table: {is: source/friedman, train: 300, test: 300}
        x:     {is: normalizer/zscore, from: table}
        raw:   {is: solver/quantile_regression, coverage: 0.9, from: x}
        range: {is: calibrator/conformal_quantiles, coverage: 0.9, from: raw}
        test:  {is: evaluator/coverage, from: range})");
}

double ConformalQuantiles::margin(const HeldOutEstimates& held_out, std::size_t target) const {
  std::vector<WeightedValue> errors;
  for (std::size_t i = 0; i < held_out.estimates.rows; ++i) {
    if (held_out.weight(i) == 0) continue;
    const float* const ends = held_out.estimates.row(i) + 3 * target;
    const double truth = held_out.targets[i * held_out.names.size() + target];
    const double error = std::max(double{ends[0]} - truth, truth - double{ends[2]});
    if (!std::isfinite(ends[0]) || !std::isfinite(ends[2]))
      throw RowError(
          RowError::Of::training, i, "an interval of ",
          " (counted from 0) has an end that is not a finite number, so no margin can be "
          "learned from it; check the rows that the regressor was given");
    errors.push_back({error, held_out.weight(i)});
  }
  return coverage_threshold(std::move(errors), coverage_);
}

void ConformalQuantiles::fit(const HeldOutEstimates& held_out, Report& report, Context& context) {
  margins_.clear();
  for (std::size_t t = 0; t < held_out.names.size(); ++t) {
    context.check_stop();
    margins_.push_back(margin(held_out, t));
  }
  report_margins(held_out, report, context);
}

void ConformalQuantiles::report_margins(const HeldOutEstimates& held_out, Report& report,
                                        Context& context) const {
  FloatMatrix intervals(held_out.estimates.rows, held_out.estimates.cols);
  apply(held_out.estimates, intervals.view(), context);
  report_held_out(intervals.view(), held_out, report);
  report.table({"margins",
                "target",
                "",
                {held_out.names.begin(), held_out.names.end()},
                {"margin"},
                margins_});
  if (std::ranges::any_of(margins_, [](double m) { return std::isinf(m); }))
    context.log(LogLevel::warning,
                "there are too few held-out rows for this coverage, so intervals are infinite; "
                "lower 'coverage', or train with more rows");
}

void ConformalQuantiles::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t t = 0; t < margins_.size(); ++t) {
      const float* const from = in.row(i) + 3 * t;
      float* const to = out.row(i) + 3 * t;
      to[0] = std::min(rounded_down(double{from[0]} - margins_[t]), from[1]);
      to[1] = from[1];
      to[2] = std::max(rounded_up(double{from[2]} + margins_[t]), from[1]);
    }
}

Formula::Value ConformalQuantiles::write(Formula& formula, Formula::Value in) const {
  if (std::ranges::any_of(margins_, [](double margin) { return std::isinf(margin); }))
    throw Error("its intervals are infinite, as there were too few held-out rows");
  const auto [lower, estimate, upper] = common::interval_parts(formula, in);
  const auto margins = formula.constant(std::span<const double>(margins_));
  const auto down =
      common::down_to_float32(formula, formula.subtract(formula.widen(lower), margins));
  const auto up = common::up_to_float32(formula, formula.add(formula.widen(upper), margins));
  return common::interval_row(
      formula, {formula.minimum(down, estimate), estimate, formula.maximum(up, estimate)});
}

void ConformalQuantiles::save(StateWriter& state) const {
  // Learned states are finite: an infinite margin is marked.
  std::vector<double> margins = margins_;
  std::vector<std::int64_t> infinite;
  for (double& margin : margins) {
    infinite.push_back(std::isinf(margin) ? 1 : 0);
    if (std::isinf(margin)) margin = 0;
  }
  state.doubles("margins", margins);
  state.integers("infinite", infinite);
}

void ConformalQuantiles::load(const StateReader& state, Context&) {
  auto margins = state.doubles("margins");
  const auto infinite = state.integers("infinite");
  if (margins.empty() || margins.size() != infinite.size())
    throw Error("the state's margins do not fit together; train the model again");
  for (std::size_t t = 0; t < margins.size(); ++t)
    if (infinite[t] != 0) margins[t] = std::numeric_limits<double>::infinity();
  margins_ = std::move(margins);
}

}  // namespace

ComponentEntry declare_conformal_quantiles() { return ConformalQuantiles::declare().entry(); }

}  // namespace semblance::calibrators
