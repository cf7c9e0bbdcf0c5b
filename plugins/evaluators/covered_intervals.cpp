// SPDX-License-Identifier: MIT
#include "covered_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/error.hpp"

namespace semblance::evaluators {
namespace {

/// Figures of some intervals.
struct Covered {
  double count = 0, covered = 0, finite = 0, width = 0;

  void add(const JudgedInterval& interval) {
    ++count;
    covered += interval.covers ? 1 : 0;
    if (!std::isfinite(interval.width)) return;
    ++finite;
    width += interval.width;
  }
  double coverage() const { return covered / count; }
  double infinite_share() const { return 1 - finite / count; }
  /// NaN: all are infinite.
  double mean_width() const {
    return finite > 0 ? width / finite : std::numeric_limits<double>::quiet_NaN();
  }
};

/// The intervals of the test samples whose number of this target is known.
std::vector<JudgedInterval> judged(const Intervals& test, std::size_t target) {
  std::vector<JudgedInterval> found;
  for (std::size_t i = 0; i < test.intervals.rows; ++i) {
    const double truth = test.targets[i * test.names.size() + target];
    if (std::isnan(truth)) continue;
    const float* const row = test.intervals.row(i) + 3 * target;
    if (std::isnan(row[0]) || std::isnan(row[1]) || std::isnan(row[2]) || row[0] > row[2])
      throw Error("the interval of test row " + std::to_string(i) +
                  " (counted from 0) has no order: " + std::to_string(row[0]) + " to " +
                  std::to_string(row[2]));
    found.push_back(
        {i, row[1], double{row[2]} - double{row[0]}, row[0] <= truth && truth <= row[2]});
  }
  return found;
}

/// The intervals of one target in four groups of equal size, by their estimates.
Table quarters(std::vector<JudgedInterval> intervals, const std::string& name) {
  Table table{name, "estimates", "", {}, {"coverage", "mean_width"}, {}};
  std::ranges::stable_sort(intervals, {}, &JudgedInterval::estimate);
  constexpr const char* quarters[] = {"smallest quarter", "second quarter", "third quarter",
                                      "largest quarter"};
  for (std::size_t q = 0; q < 4; ++q) {
    Covered of_quarter;
    for (std::size_t i = q * intervals.size() / 4; i < (q + 1) * intervals.size() / 4; ++i)
      of_quarter.add(intervals[i]);
    if (of_quarter.count == 0) continue;
    table.rows.emplace_back(quarters[q]);
    table.values.insert(table.values.end(), {of_quarter.coverage(), of_quarter.mean_width()});
  }
  return table;
}

}  // namespace

std::vector<std::vector<JudgedInterval>> report_covered_intervals(const Intervals& test,
                                                                  Report& report,
                                                                  Context& context) {
  const std::size_t targets = test.names.size();
  if (test.intervals.cols != 3 * targets)
    throw Error("there are " + std::to_string(test.intervals.cols) + " values per row, not 3 for " +
                std::to_string(targets) + " numbers");
  Table table{"targets", "target", "", {}, {"coverage", "mean_width", "infinite_share"}, {}};
  std::vector<std::vector<JudgedInterval>> judged_targets;
  Covered all;
  double coverage = 0, width = 0, known = 0;
  for (std::size_t t = 0; t < targets; ++t) {
    context.check_stop();
    std::vector<JudgedInterval> intervals = judged(test, t);
    if (intervals.empty()) continue;
    Covered own;
    for (const JudgedInterval& interval : intervals) own.add(interval), all.add(interval);
    ++known;
    coverage += own.coverage(), width += own.mean_width();
    table.rows.push_back(test.names[t]);
    table.values.insert(table.values.end(),
                        {own.coverage(), own.mean_width(), own.infinite_share()});
    report.table(quarters(intervals, targets > 1 ? "by_estimate_" + test.names[t] : "by_estimate"));
    judged_targets.push_back(std::move(intervals));
  }
  if (all.count == 0)
    throw Error("no test row has a number to compare intervals with; give the test rows theirs");
  if (const double missing = static_cast<double>(test.targets.size()) - all.count; missing > 0)
    context.log(LogLevel::warning, std::to_string(static_cast<std::int64_t>(missing)) +
                                       " true numbers of test rows are unknown, and are omitted");
  report.number("coverage", coverage / known);
  if (std::isfinite(width)) report.number("mean_width", width / known);
  report.number("infinite_share", all.infinite_share());
  report.integer("rows", static_cast<std::int64_t>(all.count) / static_cast<std::int64_t>(known));
  if (targets > 1) report.table(table);
  return judged_targets;
}

}  // namespace semblance::evaluators
