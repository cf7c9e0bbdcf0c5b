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

/// `calibrator/conformal_intervals`: intervals that contain the true number as often as asked for.
class ConformalIntervals final : public IntervalCalibrator, public Exportable {
 public:
  static Declaration<ConformalIntervals> declare();
  void fit(const HeldOutEstimates& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// Of one target number.
  struct Widths {
    /// The smallest estimate of each group but the first, ascending.
    std::vector<double> starts;
    /// Half the width of the intervals of each group; infinite: it has too few samples.
    std::vector<double> halves;

    std::size_t group(double estimate) const {
      return static_cast<std::size_t>(std::ranges::upper_bound(starts, estimate) - starts.begin());
    }
  };

  Widths widths(const HeldOutEstimates& held_out, std::size_t target, const Context& context) const;
  void report_widths(const HeldOutEstimates& held_out, Report& report, Context& context) const;

  double coverage_ = 0.9;
  std::int64_t groups_ = 1;
  std::vector<Widths> widths_;
};

Declaration<ConformalIntervals> ConformalIntervals::declare() {
  using enum FigureUnit;
  using enum Better;
  return Declaration<ConformalIntervals>(
             "calibrator/conformal_intervals",
             "Intervals around estimates that contain the true number as often as asked for")
      .documentation(
          "An interval is the estimate plus and minus a width, which is a quantile of the absolute "
          "errors of held-out rows. So intervals contain the true number for about the share "
          "`coverage` of all rows, however good the regressor is; the better it is, the narrower "
          "they are. Several target numbers have widths of their own, and each is covered by "
          "itself.\n"
          "\n"
          "With `groups` the held-out rows are divided by their estimates into groups of equal "
          "size, each with its own width, so that intervals are wide only where errors are large. "
          "Coverage then holds in each group. A group with fewer than coverage / (1 - coverage) "
          "rows (9 for 0.9) has infinite intervals, with a warning.\n"
          "\n"
          "Guarantee: half the width is the k-th smallest of the n absolute errors, k = "
          "ceil(coverage (n + 1)). If the errors of the held-out rows and of a new row are "
          "exchangeable, its interval contains the true number with a probability of at least "
          "`coverage`, on average over held-out and new rows. Held-out estimates are those of "
          "regressors that have learned from the other folds, while new rows are estimated by the "
          "one that has learned from all, which is a little better; so this holds approximately, "
          "for regressors that another fold of training rows changes little. It does not hold for "
          "rows of another distribution, nor for each row on its own. The ends are rounded "
          "outwards.")
      .reference(
          "Vovk, Gammerman and Shafer, Algorithmic learning in a random world, 2005, section 2.3; "
          "Lei, G'Sell, Rinaldo, Tibshirani and Wasserman, Distribution-free predictive inference "
          "for regression, 2018, algorithm 2; Barber, Candes, Ramdas and Tibshirani, Predictive "
          "inference with the jackknife+, 2021 (what folds do to the guarantee)")
      .takes_weights()
      .complexity("n log n for n rows")
      .parameter("coverage", &ConformalIntervals::coverage_,
                 "the share of rows whose interval contains the true number", above(0), below(1))
      .parameter("groups", &ConformalIntervals::groups_,
                 "number of groups by estimate, each with intervals of its own width", at_least(1),
                 at_most(1000))
      .reports(held_out_figures())
      .reports({"infinite_groups", "number of groups with infinite intervals", count, lower})
      .reports({"widths.from", "the smallest estimate of the group"})
      .reports({"widths.width", "width of its intervals"})
      .example(R"(
        table: {is: source/friedman, train: 300, test: 300}
        fit:   {is: solver/ridge, from: table}
        range: {is: calibrator/conformal_intervals, coverage: 0.9, from: fit}
        test:  {is: evaluator/coverage, from: range})");
}

ConformalIntervals::Widths ConformalIntervals::widths(const HeldOutEstimates& held_out,
                                                      std::size_t target,
                                                      const Context& context) const {
  struct Error {
    double estimate;
    WeightedValue absolute;
  };
  std::vector<Error> errors;
  for (std::size_t i = 0; i < held_out.estimates.rows; ++i) {
    if (held_out.weight(i) == 0) continue;
    const double estimate = held_out.estimates.row(i)[target];
    const double truth = held_out.targets[i * held_out.names.size() + target];
    if (!std::isfinite(estimate))
      throw RowError(RowError::Of::training, i, "an estimate of ",
                     " (counted from 0) is not a finite number, so no interval can be learned from "
                     "it; check the rows that the regressor was given");
    errors.push_back({estimate, {std::abs(estimate - truth), held_out.weight(i)}});
  }
  context.check_stop();
  std::ranges::stable_sort(errors, {}, &Error::estimate);
  Widths made;
  const auto groups = static_cast<std::size_t>(groups_);
  for (std::size_t g = 1; g < groups && !errors.empty(); ++g)
    if (const double start = errors[g * errors.size() / groups].estimate;
        start > errors.front().estimate && (made.starts.empty() || start > made.starts.back()))
      made.starts.push_back(start);
  std::vector<std::vector<WeightedValue>> of_group(made.starts.size() + 1);
  for (const Error& error : errors) of_group[made.group(error.estimate)].push_back(error.absolute);
  for (auto& values : of_group)
    made.halves.push_back(coverage_threshold(std::move(values), coverage_));
  return made;
}

void ConformalIntervals::fit(const HeldOutEstimates& held_out, Report& report, Context& context) {
  widths_.clear();
  for (std::size_t t = 0; t < held_out.names.size(); ++t)
    widths_.push_back(widths(held_out, t, context));
  report_widths(held_out, report, context);
}

void ConformalIntervals::report_widths(const HeldOutEstimates& held_out, Report& report,
                                       Context& context) const {
  Table table{"widths", "group", "", {}, {"from", "width"}, {}};
  std::int64_t infinite = 0;
  const std::size_t targets = held_out.names.size();
  for (std::size_t t = 0; t < targets; ++t)
    for (std::size_t g = 0; g < widths_[t].halves.size(); ++g) {
      double from = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; g == 0 && i < held_out.estimates.rows; ++i)
        from = std::min(from, double{held_out.estimates.row(i)[t]});
      if (g > 0) from = widths_[t].starts[g - 1];
      table.rows.push_back((targets > 1 ? held_out.names[t] + " " : "") + std::to_string(g + 1));
      table.values.insert(table.values.end(), {from, 2 * widths_[t].halves[g]});
      infinite += std::isinf(widths_[t].halves[g]) ? 1 : 0;
    }
  FloatMatrix intervals(held_out.estimates.rows, 3 * targets);
  apply(held_out.estimates, intervals.view(), context);
  report_held_out(intervals.view(), held_out, report);
  report.integer("infinite_groups", infinite);
  report.table(table);
  if (infinite > 0)
    context.log(LogLevel::warning,
                std::to_string(infinite) +
                    " groups have too few held-out rows for this coverage, so their intervals are "
                    "infinite; lower 'groups' or 'coverage', or train with more rows");
}

void ConformalIntervals::apply(MatrixView in, MutableMatrixView out, Context&) const {
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t t = 0; t < in.cols; ++t) {
      const float estimate = in.row(i)[t];
      const double half = widths_[t].halves[widths_[t].group(estimate)];
      float* const to = out.row(i) + 3 * t;
      to[0] = rounded_down(double{estimate} - half);
      to[1] = estimate;
      to[2] = rounded_up(double{estimate} + half);
    }
}

Formula::Value ConformalIntervals::write(Formula& formula, Formula::Value in) const {
  std::vector<Formula::Value> halves;
  for (std::size_t t = 0; t < widths_.size(); ++t) {
    const Widths& own = widths_[t];
    if (std::ranges::any_of(own.halves, [](double half) { return std::isinf(half); }))
      throw Error("some of its intervals are infinite, as they have too few held-out rows");
    const auto estimate = formula.widen(formula.gather(in, {t}));
    auto half = formula.number(own.halves[0], estimate);
    for (std::size_t g = 0; g < own.starts.size(); ++g)
      half = formula.where_greater(formula.number(own.starts[g], estimate), estimate, half,
                                   formula.number(own.halves[g + 1], estimate));
    halves.push_back(half);
  }
  const auto estimates = formula.widen(in), half = formula.concatenate(halves);
  return common::interval_row(
      formula, {common::down_to_float32(formula, formula.subtract(estimates, half)), in,
                common::up_to_float32(formula, formula.add(estimates, half))});
}

void ConformalIntervals::save(StateWriter& state) const {
  std::vector<double> starts, halves;
  std::vector<std::int64_t> groups;
  for (const Widths& widths : widths_) {
    groups.push_back(static_cast<std::int64_t>(widths.halves.size()));
    starts.insert(starts.end(), widths.starts.begin(), widths.starts.end());
    // Learned states are finite: -1 is an infinite width.
    for (const double half : widths.halves) halves.push_back(std::isinf(half) ? -1 : half);
  }
  state.integers("groups", groups);
  state.doubles("starts", starts);
  state.doubles("half_widths", halves);
}

void ConformalIntervals::load(const StateReader& state, Context&) {
  const auto groups = state.integers("groups");
  const auto starts = state.doubles("starts"), halves = state.doubles("half_widths");
  std::vector<Widths> read;
  std::size_t start = 0, half = 0;
  for (const std::int64_t count : groups) {
    Widths& widths = read.emplace_back();
    for (std::int64_t g = 0; g < count && half < halves.size(); ++g, ++half)
      widths.halves.push_back(halves[half] < 0 ? std::numeric_limits<double>::infinity()
                                               : halves[half]);
    for (std::int64_t g = 1; g < count && start < starts.size(); ++g, ++start)
      widths.starts.push_back(starts[start]);
    if (count < 1 || widths.halves.size() != static_cast<std::size_t>(count) ||
        widths.starts.size() + 1 != widths.halves.size() || !std::ranges::is_sorted(widths.starts))
      throw Error("the state's groups do not fit together; train the model again");
  }
  if (start != starts.size() || half != halves.size())
    throw Error("the state's groups do not fit together; train the model again");
  widths_ = std::move(read);
}

}  // namespace

ComponentEntry declare_conformal_intervals() { return ConformalIntervals::declare().entry(); }

}  // namespace semblance::calibrators
