// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/tables/block_relation.hpp"
#include "report/tables/paired_tests.hpp"
#include "semblance/error.hpp"
#include "semblance/same_figure.hpp"
#include "statistics/friedman.hpp"
#include "statistics/holm.hpp"
#include "statistics/summary.hpp"

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
  for (Standing& s : standings)
    s.best = s.measured == found.measured && same_figure(s.mean, found.mean);
}

/// Whether rank tests can use the blocks: not where they have samples in common, unless all are
/// trainings on the same samples and only the figure is known. Blocks that only repeat one result
/// do not count.
bool ranks_can_be_tested(const ResultTable& table, BlockRelation relation) {
  if (relation == BlockRelation::independent) return true;
  if (relation == BlockRelation::overlapping) return false;
  const auto knows_rows = [](const Method& method) {
    return std::ranges::any_of(method.measurements,
                               [](const Measurement& m) { return !m.correct.empty(); });
  };
  if (relation == BlockRelation::same_rows && std::ranges::any_of(table.methods, knows_rows))
    return false;
  return std::ranges::any_of(table.methods, repeats_vary);
}

/// Ranks of the methods with measurements, over the blocks that all of these share.
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
  if (blocks.size() < 2 || !ranks_can_be_tested(table, comparison.relation)) return;
  comparison.friedman_p = statistics::friedman_test(blocks);
  comparison.critical_difference =
      statistics::nemenyi_critical_difference(finished.size(), blocks.size());
}

/// Corrects the p-values of one test per method for the number of methods.
void correct(const std::vector<PairedTest*>& tests) {
  std::vector<std::optional<double>> p;
  for (const PairedTest* test : tests) p.push_back(test->p);
  const auto corrected = statistics::holm_correction(p);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i]->p_holm = corrected[i];
}

/// A method is tested by t or by McNemar's test: these form one family, Wilcoxon's another.
void correct(std::vector<Standing>& standings) {
  std::vector<PairedTest*> by_size, by_ranks;
  for (Standing& standing : standings) {
    by_size.push_back(standing.t.p ? &standing.t : &standing.mcnemar);
    by_ranks.push_back(&standing.wilcoxon);
  }
  correct(by_size);
  correct(by_ranks);
}

}  // namespace

Comparison compare(const ResultTable& table) {
  check(table);
  Comparison comparison;
  for (const Method& method : table.methods) comparison.standings.push_back(described(method));
  mark_best(table, comparison.standings);
  comparison.relation = relation_of_blocks(table);
  rank(table, comparison);
  if (!table.baseline) return comparison;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (i != *table.baseline)
      test_against(table.methods[*table.baseline], table.methods[i], comparison.standings[i],
                   comparison.by_rows);
  correct(comparison.standings);
  return comparison;
}

}  // namespace semblance
