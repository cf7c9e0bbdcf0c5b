// SPDX-License-Identifier: MIT
#include "figures/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "semblance/error.hpp"

namespace semblance::evaluators {
namespace {

/// A draw lacks one of the two kinds of samples in at most half of the cases, so this is never
/// reached by chance.
constexpr std::size_t most_attempts = 1000;

/// The samples that are drawn together.
struct DrawnTogether {
  std::vector<std::uint32_t> unit;  ///< of each sample, counted in the order of the samples
  std::size_t units = 0;
  std::size_t groups = 0;  ///< units that are known groups
};

DrawnTogether drawn_together(std::span<const std::int32_t> groups) {
  DrawnTogether found;
  std::map<std::int32_t, std::uint32_t> known;
  for (const std::int32_t group : groups) {
    const auto next = static_cast<std::uint32_t>(found.units);
    const std::uint32_t unit = group < 0 ? next : known.emplace(group, next).first->second;
    found.units += unit == next ? 1 : 0;
    found.unit.push_back(unit);
  }
  found.groups = known.size();
  return found;
}

std::vector<double> figures_of_one(Random random, const DrawnTogether& samples,
                                   const FiguresOfDraw& figures, const Context& context) {
  std::vector<std::uint32_t> drawn(samples.units), counts(samples.unit.size());
  for (std::size_t attempt = 0; attempt < most_attempts; ++attempt) {
    context.check_stop();
    std::ranges::fill(drawn, 0U);
    for (std::size_t i = 0; i < samples.units; ++i) ++drawn[random.below(samples.units)];
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = drawn[samples.unit[i]];
    if (auto found = figures(counts)) return std::move(*found);
  }
  throw Error("there are no confidence intervals: none of " + std::to_string(most_attempts) +
              " draws of the test rows has figures; use more test rows, or bootstrap: 0");
}

}  // namespace

std::string intervals_documentation() {
  return "Confidence intervals are in the table `intervals`, by the percentile bootstrap: n rows "
         "are drawn from the n test rows with replacement, `bootstrap` times. If the source has "
         "`groups`, whole groups are drawn, as many as there are, since ten rows of one patient "
         "say less than those of ten patients. With few groups (below 20, say) such intervals are "
         "too narrow, and with one there are none, with a warning. The intervals show what other "
         "test rows would change, not other training rows.";
}

std::vector<std::int32_t> groups_of(const Results& test, std::span<const std::size_t> rows) {
  std::vector<std::int32_t> groups;
  groups.reserve(rows.size());
  for (const std::size_t row : rows) groups.push_back(test.group(row));
  return groups;
}

double quantile(std::span<const double> sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

void ReportsIntervals::report_figures(const std::vector<std::string>& names,
                                      const std::vector<std::string>& with_ends,
                                      std::span<const std::int32_t> groups,
                                      const FiguresOfDraw& figures, Report& report,
                                      Context& context) const {
  const std::vector<double> values = figures(std::vector<std::uint32_t>(groups.size(), 1)).value();
  for (std::size_t f = 0; f < names.size(); ++f) report.number(names[f], values[f]);
  if (draws_ == 0) return;
  const DrawnTogether samples = drawn_together(groups);
  if (samples.groups == 1 || samples.units == 1) {
    context.log(
        LogLevel::warning,
        samples.groups == 1
            ? "there are no confidence intervals: all test rows whose group is known are of "
              "one group; use test rows of more groups, or bootstrap: 0"
            : "there are no confidence intervals of one test row; use more, or bootstrap: 0");
    return;
  }
  const std::uint64_t seed = context.random().bits();
  std::vector<std::vector<double>> drawn(static_cast<std::size_t>(draws_));
  context.parallel_for(drawn.size(), [&](std::size_t d) {
    drawn[d] = figures_of_one(Random::stream(seed, d), samples, figures, context);
  });
  const double tail = (1 - confidence_) / 2;
  Table table{"intervals", "figure", "", names, {"value", "low", "high"}, {}};
  std::vector<double> sorted(drawn.size());
  for (std::size_t f = 0; f < names.size(); ++f) {
    for (std::size_t d = 0; d < drawn.size(); ++d) sorted[d] = drawn[d][f];
    std::ranges::sort(sorted);
    const double low = quantile(sorted, tail), high = quantile(sorted, 1 - tail);
    table.values.insert(table.values.end(), {values[f], low, high});
    if (std::ranges::find(with_ends, names[f]) == with_ends.end()) continue;
    report.number(names[f] + "_low", low);
    report.number(names[f] + "_high", high);
  }
  report.table(table);
}

}  // namespace semblance::evaluators
