// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "statistics/friedman.hpp"
#include "statistics/holm.hpp"
#include "statistics/mcnemar.hpp"
#include "statistics/paired_t.hpp"
#include "statistics/summary.hpp"
#include "statistics/wilcoxon.hpp"

namespace semblance {
namespace {

bool measured(const Measurement& measurement) { return std::isfinite(measurement.value); }

void check(const ResultTable& table) {
  for (const Method& method : table.methods)
    if (method.measurements.size() != table.blocks.size())
      throw Error(fmt::format("the method '{}' has {} measurements for {} blocks", method.name,
                              method.measurements.size(), table.blocks.size()));
  if (table.baseline && *table.baseline >= table.methods.size())
    throw Error(
        fmt::format("the baseline is method {} of {}", *table.baseline + 1, table.methods.size()));
}

Standing described(const Method& method) {
  std::vector<double> values;
  for (const Measurement& measurement : method.measurements)
    if (measured(measurement)) values.push_back(measurement.value);
  const statistics::Summary summary = statistics::summary(values);
  Standing standing;
  standing.measured = summary.count;
  standing.mean = summary.mean;
  standing.deviation = summary.deviation;
  standing.standard_error = summary.standard_error;
  return standing;
}

void mark_best(const ResultTable& table, std::vector<Standing>& standings) {
  const Standing* best = nullptr;
  for (const Standing& s : standings) {
    if (s.measured == 0) continue;
    const bool better =
        best && (table.higher_is_better ? s.mean > best->mean : s.mean < best->mean);
    if (!best || s.measured > best->measured || (s.measured == best->measured && better)) best = &s;
  }
  if (!best) return;
  const Standing found = *best;
  for (Standing& s : standings) s.best = s.measured == found.measured && s.mean == found.mean;
}

/// Ranks of the methods that were measured at all, over the blocks that all of these share.
void rank(const ResultTable& table, Comparison& comparison) {
  std::vector<std::size_t> finished;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (comparison.standings[i].measured > 0) finished.push_back(i);
  std::vector<std::vector<double>> blocks;
  for (std::size_t b = 0; b < table.blocks.size(); ++b) {
    std::vector<double> values;
    for (const std::size_t i : finished)
      if (measured(table.methods[i].measurements[b]))
        values.push_back(table.methods[i].measurements[b].value);
    if (values.size() == finished.size() && !values.empty()) blocks.push_back(std::move(values));
  }
  const auto ranks = statistics::average_ranks(blocks, table.higher_is_better);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    comparison.standings[finished[i]].average_rank = ranks[i];
  comparison.ranked_blocks = blocks.size();
  if (blocks.size() < 2) return;
  comparison.friedman_p = statistics::friedman_test(blocks);
  comparison.critical_difference =
      statistics::nemenyi_critical_difference(finished.size(), blocks.size());
}

struct Differences {
  std::vector<double> values;  ///< method minus baseline, over the blocks both have
  double resolution = 0;       ///< what the rounding of the values can make of a zero
};

Differences differences(const Method& method, const Method& baseline) {
  Differences result;
  double greatest = 0;
  for (std::size_t b = 0; b < method.measurements.size(); ++b) {
    const Measurement& one = method.measurements[b];
    const Measurement& other = baseline.measurements[b];
    if (!measured(one) || !measured(other)) continue;
    result.values.push_back(one.value - other.value);
    greatest = std::max({greatest, std::abs(one.value), std::abs(other.value)});
  }
  result.resolution = 4 * std::numeric_limits<double>::epsilon() * greatest;
  return result;
}

std::optional<double> mcnemar(const Measurement& one, const Measurement& other) {
  if (!measured(one) || !measured(other) || one.correct.empty() ||
      one.correct.size() != other.correct.size() || one.test_rows != other.test_rows)
    return std::nullopt;
  std::size_t only_one = 0, only_other = 0;
  for (std::size_t row = 0; row < one.correct.size(); ++row) {
    only_one += one.correct[row] && !other.correct[row] ? 1 : 0;
    only_other += !one.correct[row] && other.correct[row] ? 1 : 0;
  }
  return statistics::mcnemar_test(only_one, only_other);
}

void test(const ResultTable& table, std::size_t i, Standing& standing) {
  const Method& method = table.methods[i];
  const Method& baseline = table.methods[*table.baseline];
  const Differences d = differences(method, baseline);
  if (!d.values.empty()) standing.difference = statistics::summary(d.values).mean;
  if (d.values.size() >= 2) {
    standing.t.p = statistics::paired_t_test(d.values);
    standing.wilcoxon.p = statistics::wilcoxon_signed_rank_test(d.values, d.resolution);
  }
  if (table.blocks.size() == 1)
    standing.mcnemar.p = mcnemar(method.measurements.front(), baseline.measurements.front());
}

void correct(std::vector<Standing>& standings, PairedTest Standing::*kind) {
  std::vector<std::optional<double>> p;
  for (const Standing& standing : standings) p.push_back((standing.*kind).p);
  const auto corrected = statistics::holm_correction(p);
  for (std::size_t i = 0; i < standings.size(); ++i) (standings[i].*kind).p_holm = corrected[i];
}

}  // namespace

Comparison compare(const ResultTable& table) {
  check(table);
  Comparison comparison;
  for (const Method& method : table.methods) comparison.standings.push_back(described(method));
  mark_best(table, comparison.standings);
  rank(table, comparison);
  if (!table.baseline) return comparison;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (i != *table.baseline) test(table, i, comparison.standings[i]);
  for (const auto kind : {&Standing::t, &Standing::wilcoxon, &Standing::mcnemar})
    correct(comparison.standings, kind);
  return comparison;
}

}  // namespace semblance
