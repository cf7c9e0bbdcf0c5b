// SPDX-License-Identifier: MIT
#include "bootstrap.hpp"

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

std::vector<Interval> intervals(const Bootstrap& bootstrap, std::size_t rows,
                                const FiguresOfDraw& figures, Context& context) {
  const std::uint64_t seed = context.random().bits();
  std::vector<std::vector<double>> drawn(bootstrap.draws);
  context.parallel_for(bootstrap.draws, [&](std::size_t d) {
    drawn[d] = figures_of_one(Random::stream(seed, d), rows, figures, context);
  });
  const double tail = (1 - bootstrap.confidence) / 2;
  std::vector<Interval> found;
  std::vector<double> values(bootstrap.draws);
  for (std::size_t f = 0; f < drawn.front().size(); ++f) {
    for (std::size_t d = 0; d < drawn.size(); ++d) values[d] = drawn[d][f];
    std::ranges::sort(values);
    found.push_back({quantile(values, tail), quantile(values, 1 - tail)});
  }
  return found;
}

Table interval_table(const std::vector<std::string>& names, std::span<const double> values,
                     std::span<const Interval> intervals) {
  Table table{"intervals", "figure", "", names, {"value", "low", "high"}, {}};
  for (std::size_t f = 0; f < names.size(); ++f)
    table.values.insert(table.values.end(), {values[f], intervals[f].low, intervals[f].high});
  return table;
}

}  // namespace semblance::evaluators
