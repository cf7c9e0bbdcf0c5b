// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figures/bootstrap.hpp"
#include "figures/scored_samples.hpp"
#include "semblance/context.hpp"
#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {
namespace {

[[noreturn]] void refuse_scores(const std::string& solver) {
  throw Error("it judges sets of classes, but the scores of " + solver +
              " are none; put calibrator/conformal after it");
}

/// The set of classes of a test sample, or the interval of one of its numbers.
struct JudgedSet {
  std::size_t row = 0;
  std::size_t label = 0;  ///< of sets
  double estimate = 0;    ///< of intervals
  double size = 0;        ///< the number of classes, or the width, which may be infinite
  bool covers = false;    ///< whether it contains the true class or number
  double error = 0;       ///< of intervals: the true number minus the estimate
};

/// SetSums over some of them.
struct SetSums {
  double count = 0, covered = 0, finite = 0, size = 0;

  void add(const JudgedSet& set) {
    ++count;
    covered += set.covers ? 1 : 0;
    if (!std::isfinite(set.size)) return;
    ++finite;
    size += set.size;
  }
  double coverage() const { return covered / count; }
  double infinite_share() const { return 1 - finite / count; }
  /// The mean size of the finite sets or intervals; NaN if all are infinite.
  double mean_size() const {
    return finite > 0 ? size / finite : std::numeric_limits<double>::quiet_NaN();
  }
};

JudgedSet judged_set(const Results& test, std::size_t row) {
  const auto scores = test.outputs.row_span(row);
  const auto label = static_cast<std::size_t>(test.labels[row]);
  const auto size = std::ranges::count_if(scores, [](float score) { return score >= 0; });
  return {row, label, 0, static_cast<double>(size), scores[label] >= 0};
}

constexpr std::array coverage_figure_names = {"coverage", "mean_size", "single_share",
                                              "empty_share"};

/// The figures where sample i counts `counts[i]` times.
std::vector<double> figures_of_sets(const std::vector<JudgedSet>& sets,
                                    std::span<const std::uint32_t> counts) {
  double rows = 0, covered = 0, members = 0, single = 0, empty = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const double count = counts[i];
    rows += count;
    covered += sets[i].covers ? count : 0;
    members += count * sets[i].size;
    single += sets[i].size == 1 ? count : 0;
    empty += sets[i].size == 0 ? count : 0;
  }
  return {covered / rows, members / rows, single / rows, empty / rows};
}

void report_classes_of_sets(const std::vector<JudgedSet>& sets,
                            std::span<const std::string> classes, Report& report) {
  std::vector<SetSums> sums(classes.size());
  for (const JudgedSet& set : sets) sums[set.label].add(set);
  Table table{"classes", "class", "", {}, {"coverage", "mean_size", "rows"}, {}};
  double total = 0, least = 1;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (sums[c].count == 0) continue;
    const double coverage = sums[c].coverage();
    table.rows.push_back(classes[c]);
    table.values.insert(table.values.end(), {coverage, sums[c].mean_size(), sums[c].count});
    total += coverage;
    least = std::min(least, coverage);
  }
  report.number("mean_class_coverage", total / static_cast<double>(table.rows.size()));
  report.number("least_class_coverage", least);
  report.table(table);
}

void report_sizes(const std::vector<JudgedSet>& sets, std::size_t classes, Report& report) {
  std::vector<SetSums> sums(classes + 1);
  for (const JudgedSet& set : sets) sums[static_cast<std::size_t>(set.size)].add(set);
  Table table{"sizes", "classes in the set", "", {}, {"coverage", "share_of_rows", "rows"}, {}};
  for (std::size_t size = 0; size <= classes; ++size) {
    const SetSums& sum = sums[size];
    if (sum.count == 0) continue;
    table.rows.push_back(std::to_string(size));
    table.values.insert(table.values.end(),
                        {sum.coverage(), sum.count / static_cast<double>(sets.size()), sum.count});
  }
  report.table(table);
  if (sums[1].count > 0) report.number("single_accuracy", sums[1].coverage());
}

/// The intervals of the test samples whose number of this target is known.
std::vector<JudgedSet> judged(const Results& test, std::size_t target) {
  std::vector<JudgedSet> found;
  for (std::size_t i = 0; i < test.outputs.rows; ++i) {
    const double truth = test.targets[i * test.target_names.size() + target];
    if (std::isnan(truth)) continue;
    const float* const row = test.outputs.row(i) + 3 * target;
    if (std::isnan(row[0]) || std::isnan(row[1]) || std::isnan(row[2]) || row[0] > row[2])
      throw Error("the interval of test row " + std::to_string(i) +
                  " (counted from 0) has no order: " + std::to_string(row[0]) + " to " +
                  std::to_string(row[2]));
    found.push_back({i, 0, row[1], double{row[2]} - double{row[0]},
                     row[0] <= truth && truth <= row[2], truth - double{row[1]}});
  }
  return found;
}

/// The intervals of one target in four groups of equal size, by their estimates.
Table quarters(std::vector<JudgedSet> intervals, const std::string& name) {
  Table table{name, "estimates", "", {}, {"coverage", "mean_width"}, {}};
  std::ranges::stable_sort(intervals, {}, &JudgedSet::estimate);
  constexpr const char* quarters[] = {"smallest quarter", "second quarter", "third quarter",
                                      "largest quarter"};
  for (std::size_t q = 0; q < 4; ++q) {
    SetSums of_quarter;
    for (std::size_t i = q * intervals.size() / 4; i < (q + 1) * intervals.size() / 4; ++i)
      of_quarter.add(intervals[i]);
    if (of_quarter.count == 0) continue;
    table.rows.emplace_back(quarters[q]);
    table.values.insert(table.values.end(), {of_quarter.coverage(), of_quarter.mean_size()});
  }
  return table;
}

/// Reports how often intervals contain the true numbers, and how wide they are. Returns the
/// intervals of each target of which a test sample has a number, at least one. Throws Error.
std::vector<std::vector<JudgedSet>> report_covered_intervals(const Results& test, Report& report,
                                                             Context& context) {
  const std::size_t targets = test.target_names.size();
  if (test.outputs.cols != 3 * targets)
    throw Error("there are " + std::to_string(test.outputs.cols) + " values per row, not 3 for " +
                std::to_string(targets) + " numbers");
  Table table{"targets", "target", "", {}, {"coverage", "mean_width", "infinite_share"}, {}};
  std::vector<std::vector<JudgedSet>> judged_targets;
  SetSums all;
  double width = 0, known = 0;
  for (std::size_t t = 0; t < targets; ++t) {
    context.check_stop();
    std::vector<JudgedSet> intervals = judged(test, t);
    if (intervals.empty()) continue;
    SetSums own;
    for (const JudgedSet& interval : intervals) own.add(interval), all.add(interval);
    ++known;
    width += own.mean_size();
    table.rows.push_back(test.target_names[t]);
    table.values.insert(table.values.end(),
                        {own.coverage(), own.mean_size(), own.infinite_share()});
    report.table(
        quarters(intervals, targets > 1 ? "by_estimate_" + test.target_names[t] : "by_estimate"));
    judged_targets.push_back(std::move(intervals));
  }
  if (all.count == 0)
    throw Error("no test row has a number to compare intervals with; give the test rows theirs");
  if (const double missing = static_cast<double>(test.targets.size()) - all.count; missing > 0)
    context.log(LogLevel::warning, std::to_string(static_cast<std::int64_t>(missing)) +
                                       " true numbers of test rows are unknown, and are omitted");
  if (std::isfinite(width)) report.number("mean_width", width / known);
  report.number("infinite_share", all.infinite_share());
  report.integer("rows", static_cast<std::int64_t>(all.count) / static_cast<std::int64_t>(known));
  if (targets > 1) report.table(table);
  return judged_targets;
}

/// The negative logarithm of the density at the true number.
double surprise(const JudgedSet& interval, double quantile) {
  const double deviation = interval.size / 2 / quantile;
  return std::log(2 * std::numbers::pi) / 2 + std::log(deviation) +
         std::pow(interval.error / deviation, 2) / 2;
}

/// `evaluator/coverage`: whether sets of classes contain the true class and intervals the true
/// numbers, and how large they are.
class Coverage final : public EvaluatorOf<PortType::scores, PortType::intervals>,
                       public ReportsIntervals {
 public:
  static Declaration<Coverage> declare() {
    using enum FigureUnit;
    using enum Better;
    Declaration<Coverage> declaration("evaluator/coverage",
                                      "Whether sets of classes contain the true class, or "
                                      "intervals the true number, and their sizes");
    declaration
        .documentation(
            "coverage is the share of the rows whose set of classes contains the true class, or "
            "whose interval contains the true number, with its ends: it should be what the "
            "calibrator was asked for. For n independent rows it varies by about sqrt(coverage (1 "
            "- coverage) / n), and by as much again for the rows that the calibrator learned from. "
            "If coverages are equal, smaller sets (mean_size) and narrower intervals (mean_width) "
            "are better. Rows without a label or number are excluded, with a warning.\n\n"
            "Sets: coverage on average may hide classes that are covered less: mean_class_coverage "
            "and least_class_coverage are over the classes that have test rows, and the table "
            "`classes` has each. The table `sizes` has the coverage by the size of the set: honest "
            "sets are right equally often, whatever their size. (Sizes with few rows vary.)\n\n"
            "single_share is the share of rows with one class in their set, single_accuracy how "
            "many of these are right; empty_share the share of rows with an empty set, which is "
            "never right.\n\n" +
            intervals_documentation() +
            " Scores that are not sets are refused.\n\n"
            "Intervals: with several target numbers, coverage and mean_width are means over them, "
            "and the table `targets` has those of each. The tables `by_estimate` show a quarter of "
            "the rows each, from the smallest estimates to the largest: if coverage differs "
            "between them, intervals are too narrow for some rows and too wide for others "
            "(`groups` of the calibrator helps). Infinite intervals count for coverage, and not "
            "for the width. nlpd judges the normal distributions of a Gaussian process: the mean "
            "of ln(2 pi s^2) / 2 + (y - f)^2 / (2 s^2) for the true numbers y, the estimates f and "
            "the deviations s, which follow from the width. The smaller it is, the better, for "
            "estimates and deviations together. A calibrator's intervals are of no distribution, "
            "and have none.")
        .reference(
            "Vovk, Gammerman and Shafer, Algorithmic learning in a random world, 2005; "
            "Angelopoulos, Bates, Malik and Jordan, Uncertainty sets for image classifiers using "
            "conformal prediction, 2021 (coverage by size); Rasmussen and Williams, Gaussian "
            "Processes for Machine Learning, 2006, eq. (2.34) (nlpd)")
        .complexity("rows x (classes + bootstrap)")
        .random()
        .reports({"coverage", "share of the rows whose set or interval has the truth", share, none,
                  true})
        .reports({"mean_size", "mean number of classes in a set", plain, lower, true})
        .reports({"mean_width", "mean width of the finite intervals, in the target's unit", plain,
                  lower, true})
        .reports({"nlpd", "mean negative logarithm of the predictive density at the true numbers",
                  plain, lower, true})
        .reports({"infinite_share", "share of infinite intervals", share, lower})
        .reports({"single_share", "share of the rows with one class in their set", share, higher})
        .reports({"empty_share", "share of the rows with an empty set", share, lower})
        .reports(
            {"single_accuracy", "share of the sets of one class that are right", share, higher})
        .reports({"mean_class_coverage", "mean coverage of the classes that have rows", share})
        .reports({"least_class_coverage", "smallest coverage of a class that has rows", share,
                  higher, true})
        .reports({"coverage_low", "lower end of its confidence interval", share})
        .reports({"coverage_high", "upper end of its confidence interval", share})
        .reports(known_rows_figures())
        .reports({"classes.coverage", "share of the class's rows whose set contains it", share})
        .reports({"classes.rows", "number of test rows of the class", count})
        .reports(
            {"sizes.coverage", "share of the sets of this size that have the true class", share})
        .reports({"sizes.share_of_rows", "share of the rows with a set of this size", share})
        .reports({"sizes.rows", "number of rows with a set of this size", count})
        .gone({.written = "evaluator/interval_coverage",
               .since = "1.0",
               .advice = "evaluator/coverage takes intervals too"})
        .example(R"(
        points: {is: source/rings, classes: 3, noise: 0.5, train: 600}
        bases:  {is: basis/random, count: 50, from: points}
        rbf:    {is: similarity/rbf, gamma: 1, from: points, bases: bases}
        svm:    {is: solver/linear_svm, from: rbf}
        sets:   {is: calibrator/conformal, by_class: true, from: svm}
        test:   {is: evaluator/coverage, from: sets})");
    declare_bootstrap(declaration);
    return declaration;
  }

  Needs needs() const override { return {.sets = true}; }

  void check_scores(const AnnouncedScores& scores) const override {
    if (scores.output == PortType::scores && !scores.sets)
      refuse_scores("'" + scores.node + "' (" + scores.solver + ")");
  }

  void evaluate(const Results& test, Report& report, Context& context) const override {
    test.type == PortType::intervals ? evaluate_intervals(test, report, context)
                                     : evaluate_sets(test, report, context);
  }

 private:
  void evaluate_sets(const Results& test, Report& report, Context& context) const {
    if (!test.sets) refuse_scores(test.lineage.solver);
    const std::vector<std::size_t> rows = known_rows(test, report, context);
    std::vector<JudgedSet> sets;
    sets.reserve(rows.size());
    for (const std::size_t row : rows) sets.push_back(judged_set(test, row));
    context.check_stop();
    report_classes_of_sets(sets, test.classes, report);
    report_sizes(sets, test.classes.size(), report);
    const auto of_draw =
        [&](std::span<const std::uint32_t> counts) -> std::optional<std::vector<double>> {
      return figures_of_sets(sets, counts);
    };
    report_figures({coverage_figure_names.begin(), coverage_figure_names.end()}, {"coverage"},
                   groups_of(test, rows), of_draw, report, context);
  }

  void evaluate_intervals(const Results& test, Report& report, Context& context) const {
    const auto targets = report_covered_intervals(test, report, context);
    // A row's intervals are drawn together; rows without a number are not.
    constexpr std::size_t nowhere = -1;
    std::vector<std::size_t> places(test.outputs.rows, nowhere);
    std::vector<std::size_t> rows_drawn;
    for (const auto& intervals : targets)
      for (const JudgedSet& each : intervals)
        if (places[each.row] == nowhere) {
          places[each.row] = rows_drawn.size();
          rows_drawn.push_back(each.row);
        }
    bool normal = test.normal_quantile.has_value();
    for (const auto& intervals : targets)
      for (const JudgedSet& each : intervals) normal = normal && each.size > 0;
    if (test.normal_quantile && !normal)
      context.log(LogLevel::warning,
                  "nlpd is undefined and not reported: an interval has no width");
    const auto means =
        [&](std::span<const std::uint32_t> counts) -> std::optional<std::vector<double>> {
      double coverage = 0, density = 0;
      for (const auto& intervals : targets) {
        double rows = 0, covered = 0, surprised = 0;
        for (const JudgedSet& each : intervals) {
          const double count = counts[places[each.row]];
          rows += count;
          covered += each.covers ? count : 0;
          if (normal && count > 0) surprised += count * surprise(each, *test.normal_quantile);
        }
        if (rows == 0) return std::nullopt;
        coverage += covered / rows / static_cast<double>(targets.size());
        density += surprised / rows / static_cast<double>(targets.size());
      }
      return normal ? std::vector{coverage, density} : std::vector{coverage};
    };
    std::vector<std::string> names = {"coverage"};
    if (normal) names.emplace_back("nlpd");
    report_figures(names, {"coverage"}, groups_of(test, rows_drawn), means, report, context);
  }
};

}  // namespace

ComponentEntry declare_coverage() { return Coverage::declare().entry(); }

}  // namespace semblance::evaluators
