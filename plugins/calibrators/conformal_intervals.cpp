// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "coverage_threshold.hpp"
#include "interval_formula.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"

namespace semblance::calibrators {
namespace {

/// How far the ends of the intervals of one target number are moved outwards.
struct Margins {
  /// The smallest estimate of each group but the first, ascending.
  std::vector<double> starts;
  /// One per group. Negative: the ends move inwards. Infinite: the group has too few samples.
  std::vector<double> margins;

  std::size_t group(double estimate) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts, estimate) - starts.begin());
  }
};

struct Interval {
  float lower = 0, estimate = 0, upper = 0;
};

/// Intervals that contain the true number as often as asked for. An IntervalCalibrator surrounds
/// estimates, which are intervals of no width; an IntervalCorrector moves the ends of intervals.
template <class Interface>
class ConformalIntervals final : public Interface, public Exportable {
 public:
  static Declaration<ConformalIntervals> declare(std::string_view id, std::string_view summary);
  void fit(const HeldOutEstimates& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override {
    apply_within(this->by_column.empty() ? 0 : -1, in, out, context);
  }
  void apply_within(std::int32_t category, MatrixView in, MutableMatrixView out,
                    Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  static constexpr bool surrounds = !std::is_same_v<Interface, IntervalCorrector>;

  static Interval given(const float* row, std::size_t target) {
    if (surrounds) return {row[target], row[target], row[target]};
    return {row[3 * target], row[3 * target + 1], row[3 * target + 2]};
  }
  Margins learned(const HeldOutEstimates& held_out, std::size_t category, std::size_t target,
                  Promise& promise, const Context& context) const;
  void report_intervals(const HeldOutEstimates& held_out, Report& report, Context& context) const;
  void report_margins(const HeldOutEstimates& held_out, const Promise& promise, Report& report,
                      Context& context) const;

  double coverage_ = 0.9;
  std::int64_t groups_ = 1;
  std::vector<Margins> margins_;  ///< by category and target number
};

template <class Interface>
Declaration<ConformalIntervals<Interface>> ConformalIntervals<Interface>::declare(
    std::string_view id, std::string_view summary) {
  using enum FigureUnit;
  using enum Better;
  return Declaration<ConformalIntervals>(id, summary)
      .takes_weights()
      .complexity("n log n for n rows")
      .parameter("coverage", &ConformalIntervals::coverage_,
                 "the share of rows whose interval contains the true number", above(0), below(1))
      .parameter("groups", &ConformalIntervals::groups_,
                 "number of groups by estimate, each with a margin of its own", at_least(1),
                 at_most(1000))
      .parameter("by_column", &ConformalIntervals::by_column, by_column_text)
      .reports({"held_out_coverage",
                "share of the held-out rows whose interval has the true number", share, none, true})
      .reports({"promised_coverage", "the coverage that is promised", share})
      .reports({"mean_width", "mean width of the held-out rows' intervals, in the target's unit",
                plain, lower, true})
      .reports({"infinite_groups", "number of groups with infinite intervals", count, lower})
      .reports({"margins.from", "the smallest estimate of the group"})
      .reports({"margins.margin", "how far the ends are moved outwards, in the target's unit"});
}

template <class Interface>
Margins ConformalIntervals<Interface>::learned(const HeldOutEstimates& held_out,
                                               std::size_t category, std::size_t target,
                                               Promise& promise, const Context& context) const {
  struct Missed {
    double estimate;
    HeldOutValue by;  ///< how far the number is outside of the interval; negative: inside
  };
  std::vector<Missed> rows;
  for (std::size_t i = 0; i < held_out.estimates.rows; ++i) {
    if (held_out.weight(i) == 0 || held_out.categories.at(i) != category) continue;
    const Interval interval = given(held_out.estimates.row(i), target);
    if (!std::isfinite(interval.lower) || !std::isfinite(interval.estimate) ||
        !std::isfinite(interval.upper)) {
      const bool infinite = std::isfinite(interval.estimate) && !std::isnan(interval.lower) &&
                            !std::isnan(interval.upper);
      throw RowError(
          RowError::Of::training, i,
          infinite ? "the regressor's interval of " : "what the regressor gives for ",
          std::string(" (counted from 0) is ") +
              (infinite ? "infinite, so that it cannot be corrected; lower the regressor's "
                          "'coverage', or give it more rows"
                        : "not finite, so no interval can be learned from it; check the rows that "
                          "it was given"));
    }
    const double truth = held_out.targets[i * held_out.names.size() + target];
    rows.push_back({interval.estimate,
                    {std::max(double{interval.lower} - truth, truth - double{interval.upper}),
                     held_out.weight(i), held_out.group(i)}});
  }
  context.check_stop();
  std::ranges::stable_sort(rows, {}, &Missed::estimate);
  Margins made;
  const auto groups = static_cast<std::size_t>(groups_);
  for (std::size_t g = 1; g < groups && !rows.empty(); ++g)
    if (const double start = rows[g * rows.size() / groups].estimate;
        start > rows.front().estimate && (made.starts.empty() || start > made.starts.back()))
      made.starts.push_back(start);
  std::vector<std::vector<HeldOutValue>> of_group(made.starts.size() + 1);
  for (const Missed& row : rows) of_group[made.group(row.estimate)].push_back(row.by);
  for (auto& values : of_group) {
    const CoverageThreshold found = coverage_threshold(std::move(values), coverage_);
    made.margins.push_back(found.value);
    promise.add(found, coverage_, held_out.categories.name(category));
  }
  return made;
}

template <class Interface>
void ConformalIntervals<Interface>::fit(const HeldOutEstimates& held_out, Report& report,
                                        Context& context) {
  margins_.clear();
  Promise promise;
  for (std::size_t category = 0; category < held_out.categories.count(); ++category)
    for (std::size_t t = 0; t < held_out.names.size(); ++t)
      margins_.push_back(learned(held_out, category, t, promise, context));
  report_intervals(held_out, report, context);
  report_margins(held_out, promise, report, context);
}

/// The mean width only if all intervals are finite.
template <class Interface>
void ConformalIntervals<Interface>::report_intervals(const HeldOutEstimates& held_out,
                                                     Report& report, Context& context) const {
  const std::size_t targets = held_out.names.size();
  FloatMatrix intervals(held_out.estimates.rows, 3 * targets);
  for (std::size_t i = 0; i < intervals.rows; ++i)
    apply_within(static_cast<std::int32_t>(held_out.categories.at(i)),
                 held_out.estimates.rows_range(i, 1), intervals.view().rows_range(i, 1), context);
  double covered = 0, width = 0, total = 0;
  for (std::size_t k = 0; k < held_out.targets.size(); ++k) {
    const float* const ends = intervals.values.data() + 3 * k;
    const double truth = held_out.targets[k], weight = held_out.weight(k / targets);
    total += weight;
    covered += ends[0] <= truth && truth <= ends[2] ? weight : 0;
    if (weight > 0) width += weight * (double{ends[2]} - double{ends[0]});
  }
  if (total == 0) return;
  report.number("held_out_coverage", covered / total);
  if (std::isfinite(width)) report.number("mean_width", width / total);
}

template <class Interface>
void ConformalIntervals<Interface>::report_margins(const HeldOutEstimates& held_out,
                                                   const Promise& promise, Report& report,
                                                   Context& context) const {
  Table table{"margins", "group", "", {}, {"from", "margin"}, {}};
  std::int64_t infinite = 0;
  const std::size_t targets = held_out.names.size();
  for (std::size_t k = 0; k < margins_.size(); ++k) {
    const std::size_t category = k / targets, t = k % targets;
    const Margins& own = margins_[k];
    double from = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < held_out.estimates.rows; ++i)
      if (held_out.categories.at(i) == category)
        from = std::min(from, double{given(held_out.estimates.row(i), t).estimate});
    std::string name = held_out.categories.name(category);
    if (!name.empty()) name += " ";
    if (targets > 1) name += held_out.names[t] + " ";
    for (std::size_t g = 0; g < own.margins.size(); ++g) {
      table.rows.push_back(name + std::to_string(g + 1));
      table.values.insert(table.values.end(), {g > 0 ? own.starts[g - 1] : from, own.margins[g]});
      infinite += std::isinf(own.margins[g]) ? 1 : 0;
    }
  }
  report.integer("infinite_groups", infinite);
  report.number("promised_coverage", promise.coverage);
  report.table(table);
  if (infinite > 0)
    context.log(LogLevel::warning, "infinite intervals in " + std::to_string(infinite) + " of " +
                                       std::to_string(table.rows.size()) +
                                       " groups of estimates: " + promise.shortages.front() +
                                       "; lower 'groups' or 'coverage', or train with more rows");
  else if (!promise.shortages.empty())
    context.log(LogLevel::warning, promise.shortages.front() + "; " + more_groups);
}

template <class Interface>
void ConformalIntervals<Interface>::apply_within(std::int32_t category, MatrixView in,
                                                 MutableMatrixView out, Context&) const {
  const std::size_t targets = surrounds ? in.cols : in.cols / 3;
  for (std::size_t i = 0; i < in.rows; ++i)
    for (std::size_t t = 0; t < targets; ++t) {
      const Interval interval = given(in.row(i), t);
      // Nothing is known of the errors of rows of a new category.
      double margin = std::numeric_limits<double>::infinity();
      if (category >= 0) {
        const Margins& own = margins_.at(static_cast<std::size_t>(category) * targets + t);
        margin = own.margins[own.group(interval.estimate)];
      }
      float* const to = out.row(i) + 3 * t;
      to[1] = interval.estimate;
      common::set_ends(double{interval.lower} - margin, double{interval.upper} + margin, to);
    }
}

template <class Interface>
Formula::Value ConformalIntervals<Interface>::write(Formula& formula, Formula::Value in) const {
  if (!this->by_column.empty()) throw Error(no_formula_by_column);
  const common::IntervalParts from =
      surrounds ? common::IntervalParts{in, in, in} : common::interval_parts(formula, in);
  std::vector<Formula::Value> margins;
  for (std::size_t t = 0; t < margins_.size(); ++t) {
    const Margins& own = margins_[t];
    if (std::ranges::any_of(own.margins, [](double margin) { return std::isinf(margin); }))
      throw Error("some of its intervals are infinite, as they have too few held-out rows");
    const auto estimate = formula.widen(formula.gather(from.estimate, {t}));
    auto margin = formula.number(own.margins[0], estimate);
    for (std::size_t g = 0; g < own.starts.size(); ++g)
      margin = formula.where_greater(formula.number(own.starts[g], estimate), estimate, margin,
                                     formula.number(own.margins[g + 1], estimate));
    margins.push_back(margin);
  }
  const auto margin = formula.concatenate(margins);
  const auto down =
      common::down_to_float32(formula, formula.subtract(formula.widen(from.lower), margin));
  const auto up = common::up_to_float32(formula, formula.add(formula.widen(from.upper), margin));
  return common::interval_row(formula, {formula.minimum(down, from.estimate), from.estimate,
                                        formula.maximum(up, from.estimate)});
}

template <class Interface>
void ConformalIntervals<Interface>::save(StateWriter& state) const {
  std::vector<double> starts, margins;
  std::vector<std::int64_t> groups, infinite;
  for (const Margins& own : margins_) {
    groups.push_back(static_cast<std::int64_t>(own.margins.size()));
    starts.insert(starts.end(), own.starts.begin(), own.starts.end());
    for (const double margin : own.margins) {
      // Learned states are finite.
      infinite.push_back(std::isinf(margin) ? 1 : 0);
      margins.push_back(std::isinf(margin) ? 0 : margin);
    }
  }
  state.integers("groups", groups);
  state.doubles("starts", starts);
  state.doubles("margins", margins);
  state.integers("infinite", infinite);
}

template <class Interface>
void ConformalIntervals<Interface>::load(const StateReader& state, Context&) {
  const auto groups = state.integers("groups"), infinite = state.integers("infinite");
  const auto starts = state.doubles("starts"), margins = state.doubles("margins");
  const Error refusal("the state's groups do not fit together; train the model again");
  if (infinite.size() != margins.size()) throw refusal;
  std::vector<Margins> read;
  std::size_t start = 0, margin = 0;
  for (const std::int64_t count : groups) {
    Margins& own = read.emplace_back();
    for (std::int64_t g = 0; g < count && margin < margins.size(); ++g, ++margin)
      own.margins.push_back(infinite[margin] != 0 ? std::numeric_limits<double>::infinity()
                                                  : margins[margin]);
    for (std::int64_t g = 1; g < count && start < starts.size(); ++g, ++start)
      own.starts.push_back(starts[start]);
    if (count < 1 || own.margins.size() != static_cast<std::size_t>(count) ||
        own.starts.size() + 1 != own.margins.size() || !std::ranges::is_sorted(own.starts))
      throw refusal;
  }
  if (start != starts.size() || margin != margins.size()) throw refusal;
  margins_ = std::move(read);
}

}  // namespace

ComponentEntry declare_conformal_intervals() {
  auto declared = ConformalIntervals<IntervalCalibrator>::declare(
      "calibrator/conformal_intervals",
      "Intervals around estimates that contain the true number as often as asked for");
  declared
      .documentation(
          "An interval is the estimate plus and minus a margin, which is a quantile of the "
          "absolute errors of held-out rows. So intervals contain the true number for about the "
          "share `coverage` of all rows, however good the regressor is; the better it is, the "
          "narrower they are. Several target numbers have margins of their own, and each is "
          "covered by itself.\n"
          "\n"
          "With `groups` the held-out rows are divided by their estimates into groups of equal "
          "size, each with its own margin, so that intervals are wide only where errors are large. "
          "Coverage then holds in each group. A group with fewer than coverage / (1 - coverage) "
          "rows (9 for 0.9) has infinite intervals, with a warning that names the cause.\n"
          "\n"
          "`by_column` learns the margins for each value of a column on its own (Mondrian), so "
          "that coverage holds for the rows of each value; `groups` divide the rows of each value. "
          "A row with a value that no training row has gets an infinite interval.\n"
          "\n"
          "Guarantee: the margin is the k-th smallest of the n absolute errors, k = ceil(coverage "
          "(n + 1)). If the errors of the held-out rows and of a new row are exchangeable, its "
          "interval contains the true number with a probability of at least `coverage`, on average "
          "over held-out and new rows. What calibrator/conformal says about folds and about rows "
          "of another distribution, about weights and about groups of rows holds here, too. With "
          "`folds: leave_one_out` this is the jackknife; the jackknife+, whose promise is a "
          "theorem, is a method of solver/kernel_intervals. The ends are rounded outwards.")
      .reference(
          "Vovk, Gammerman and Shafer, Algorithmic learning in a random world, 2005, section 2.3; "
          "Lei, G'Sell, Rinaldo, Tibshirani and Wasserman, Distribution-free predictive inference "
          "for regression, 2018, algorithm 2; Barber, Candes, Ramdas and Tibshirani, Predictive "
          "inference with the jackknife+, 2021 (what folds do to the guarantee)")
      .example(R"(
        table: {is: source/friedman, train: 300, test: 300}
        fit:   {is: solver/ridge, from: table}
        range: {is: calibrator/conformal_intervals, coverage: 0.9, from: fit}
        test:  {is: evaluator/coverage, from: range})");
  return std::move(declared).entry();
}

ComponentEntry declare_conformal_quantiles() {
  auto declared = ConformalIntervals<IntervalCorrector>::declare(
      "calibrator/conformal_quantiles",
      "Corrects a regressor's intervals so that they contain the number as often as asked");
  declared
      .documentation(
          "Follows a regressor that gives intervals, such as solver/quantile_regression. All ends "
          "are moved outwards by a margin, or inwards where intervals contain the number too "
          "often. So intervals contain the number for about the share `coverage` of all rows, "
          "however good the regressor is, and stay wide where it found the numbers to spread, and "
          "narrow elsewhere. No end is moved across the estimate.\n"
          "\n"
          "The error of a held-out row is how far its number is outside of its interval, negative "
          "for one inside, and the margin is a quantile of these errors. All else is as in "
          "calibrator/conformal_intervals: `groups`, `by_column`, several target numbers, the "
          "guarantee.")
      .reference(
          "Romano, Patterson and Candes, Conformalized quantile regression, 2019, algorithm 1; "
          "Barber, Candes, Ramdas and Tibshirani, Predictive inference with the jackknife+, 2021 "
          "(what folds do to the guarantee)")
      .example(R"(
        table: {is: source/friedman, train: 300, test: 300}
        x:     {is: normalizer/zscore, from: table}
        raw:   {is: solver/quantile_regression, coverage: 0.9, from: x}
        range: {is: calibrator/conformal_quantiles, coverage: 0.9, from: raw}
        test:  {is: evaluator/coverage, from: range})");
  return std::move(declared).entry();
}

}  // namespace semblance::calibrators
