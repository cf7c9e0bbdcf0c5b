// SPDX-License-Identifier: MIT
#include "figures/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/error.hpp"

namespace semblance::evaluators {
namespace {

/// A draw lacks one of the two kinds of samples in at most half of the cases, so this is never
/// reached by chance.
constexpr std::size_t most_attempts = 1000;

std::vector<double> figures_of_one(Random random, std::size_t rows, const FiguresOfDraw& figures,
                                   const Context& context) {
  std::vector<std::uint32_t> counts(rows);
  for (std::size_t attempt = 0; attempt < most_attempts; ++attempt) {
    context.check_stop();
    std::ranges::fill(counts, 0U);
    for (std::size_t i = 0; i < rows; ++i) ++counts[random.below(rows)];
    if (auto found = figures(counts)) return std::move(*found);
  }
  throw Error("there are no confidence intervals: none of " + std::to_string(most_attempts) +
              " draws of the test rows has figures; use more test rows, or bootstrap: 0");
}

}  // namespace

double quantile(std::span<const double> sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

void ReportsIntervals::report_figures(const std::vector<std::string>& names,
                                      const std::vector<std::string>& with_ends, std::size_t rows,
                                      const FiguresOfDraw& figures, Report& report,
                                      Context& context) const {
  const std::vector<double> values = figures(std::vector<std::uint32_t>(rows, 1)).value();
  for (std::size_t f = 0; f < names.size(); ++f) report.number(names[f], values[f]);
  if (draws_ == 0) return;
  const std::uint64_t seed = context.random().bits();
  std::vector<std::vector<double>> drawn(static_cast<std::size_t>(draws_));
  context.parallel_for(drawn.size(), [&](std::size_t d) {
    drawn[d] = figures_of_one(Random::stream(seed, d), rows, figures, context);
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
