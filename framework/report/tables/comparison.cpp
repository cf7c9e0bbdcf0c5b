// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/tables/blocks.hpp"
#include "report/tables/slot_effects.hpp"
#include "semblance/error.hpp"
#include "semblance/same_figure.hpp"
#include "statistics/paired_tests.hpp"
#include "statistics/resolution.hpp"
#include "statistics/summary.hpp"

namespace semblance {

namespace {

void add_name(const std::string& name, std::vector<std::string>& names) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

Measurement mean_of(const std::vector<Measurement>& repeats) {
  Measurement mean{0, "", {}};
  std::vector<std::string> tested;
  for (const Measurement& m : repeats) {
    mean.value += m.value / static_cast<double>(repeats.size());
    if (mean.error.empty()) mean.error = m.error;
    mean.trained += m.trained;
    mean.tested += m.tested;
    for (const auto& name : m.drawn_from) add_name(name, mean.drawn_from);
    add_name(m.test_rows, tested);
    mean.further.resize(m.further.size());
    for (std::size_t f = 0; f < m.further.size(); ++f)
      mean.further[f] += m.further[f] / static_cast<double>(repeats.size());
    for (const auto& [parameter, values] : m.chosen)
      for (const auto& value : values) mean.chosen[parameter].push_back(value);
    mean.folders.insert(mean.folders.end(), m.folders.begin(), m.folders.end());
  }
  for (const auto& name : tested) mean.test_rows += (mean.test_rows.empty() ? "" : "+") + name;
  return mean;
}

namespace {

/// Whether a method has different results on its blocks: other figures or, if known, other samples
/// classified right.
bool repeats_vary(const Method& method) {
  const auto blocks = measured_blocks(method);
  return std::ranges::any_of(blocks, [&](const Measurement* block) {
    return !same_figure(block->value, blocks.front()->value) ||
           block->correct != blocks.front()->correct || block->losses != blocks.front()->losses;
  });
}

/// A block on which both were measured, with the same rows.
struct Block {
  const Measurement* method;
  const Measurement* baseline;
};

std::vector<Block> shared_blocks(const Method& method, const Method& baseline) {
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < method.measurements.size(); ++b)
    if (std::isfinite(method.measurements[b].value) &&
        std::isfinite(baseline.measurements[b].value) &&
        may_be_paired(method.measurements[b], baseline.measurements[b]))
      blocks.push_back({&method.measurements[b], &baseline.measurements[b]});
  return blocks;
}

/// Says that there are no pairs where both have values, but for other rows.
void remark_other_rows(const Method& method, const Method& baseline, Standing& standing) {
  for (std::size_t b = 0; b < method.measurements.size(); ++b) {
    const Measurement& one = method.measurements[b];
    if (!std::isfinite(one.value) || !std::isfinite(baseline.measurements[b].value)) continue;
    const bool by_rows = method.measurements.size() == 1 && !one.correct.empty();
    (by_rows ? standing.mcnemar : standing.t).remark = other_test_rows;
  }
}

struct Differences {
  std::vector<double> values;  ///< method minus baseline
  double resolution = 0;       ///< the largest rounding error of a zero
};

Differences differences(const std::vector<Block>& blocks) {
  Differences result;
  std::vector<double> all;
  for (const auto& [method, baseline] : blocks) {
    result.values.push_back(method->value - baseline->value);
    all.insert(all.end(), {method->value, baseline->value});
  }
  result.resolution = statistics::resolution_of(all);
  return result;
}

bool knows_rows(const Measurement& one) { return !one.correct.empty() || !one.losses.empty(); }

bool knows_rows(const Block& block) {
  return knows_rows(*block.method) && knows_rows(*block.baseline);
}

/// Whether the test samples are known to be the same, and both methods record which were right.
bool pairs_rows(const Block& block) {
  return knows_rows(block) && !block.method->test_rows.empty() &&
         block.method->test_rows == block.baseline->test_rows &&
         block.method->correct.size() == block.baseline->correct.size() &&
         block.method->losses.size() == block.baseline->losses.size();
}

/// Method minus baseline, per test sample.
std::vector<double> row_differences(const Block& block) {
  std::vector<double> rows;
  for (std::size_t r = 0; r < block.method->losses.size(); ++r)
    rows.push_back(block.method->losses[r] - block.baseline->losses[r]);
  for (std::size_t r = 0; r < block.method->correct.size(); ++r)
    rows.push_back((block.method->correct[r] ? 1.0 : 0.0) -
                   (block.baseline->correct[r] ? 1.0 : 0.0));
  return rows;
}

PairedTest wilcoxon(const std::vector<double>& differences, double resolution) {
  if (differences.size() < statistics::wilcoxon_fewest) return {{}, {}, too_few_blocks};
  return {statistics::wilcoxon_signed_rank_test(differences, resolution)};
}

/// Whether the differences of the samples' losses have the metric's unit, so that an interval of
/// their mean is one of the metric: not for squared losses beside a root.
bool in_units_of_metric(const Standing& standing, double mean_of_rows) {
  return standing.difference && same_figure(std::abs(*standing.difference), std::abs(mean_of_rows));
}

/// The groups of a block's samples, which are counted; empty: none.
std::span<const std::int32_t> groups_of_rows(const Block& block, std::size_t rows,
                                             Comparison& comparison) {
  for (const Measurement* one : {block.method, block.baseline}) {
    if (one->groups.size() != rows) continue;
    const std::size_t count = statistics::group_sums(std::vector<double>(rows), one->groups).size();
    comparison.row_groups = std::max(comparison.row_groups, count);
    return one->groups;
  }
  return {};
}

/// The samples of one block are the pairs.
void test_rows(const Block& block, Standing& standing, Comparison& comparison) {
  if (!pairs_rows(block)) {
    if (!knows_rows(block)) return;
    const bool recorded = !block.method->test_rows.empty() && !block.baseline->test_rows.empty();
    PairedTest& test = block.method->losses.empty() ? standing.mcnemar : standing.t;
    test.remark = recorded ? other_test_rows : test_rows_unknown;
    return;
  }
  const auto rows = row_differences(block);
  const auto groups = groups_of_rows(block, rows.size(), comparison);
  const auto sums = statistics::group_sums(rows, groups);
  if (block.method->losses.empty()) {
    standing.mcnemar.p = statistics::sign_flip_test(sums);
    return;
  }
  const auto values = statistics::group_values(rows, groups);
  standing.t.p = statistics::paired_t_test(values);
  if (in_units_of_metric(standing, statistics::summary(rows).mean))
    standing.difference_reach = statistics::resampled_t_reach(values, 0);
  standing.wilcoxon = wilcoxon(sums, 0);
  comparison.by_rows = true;
}

void crossed_t(const std::vector<Block>& blocks, Standing& standing, Comparison& comparison) {
  std::vector<std::vector<double>> rows;
  double mean = 0;
  for (const Block& block : blocks) {
    rows.push_back(row_differences(block));
    mean += statistics::summary(rows.back()).mean / static_cast<double>(blocks.size());
    const auto groups = groups_of_rows(block, rows.back().size(), comparison);
    rows.back() = statistics::group_values(rows.back(), groups);
  }
  comparison.by_rows = true;
  standing.t.p = statistics::crossed_t_test(rows);
  if (in_units_of_metric(standing, mean))
    standing.difference_reach = statistics::crossed_t_reach(rows);
}

/// The mean of n2 / n1 over the blocks; nothing where their sizes are unknown.
std::optional<double> test_to_train(const std::vector<Block>& blocks) {
  double sum = 0;
  for (const auto& [method, baseline] : blocks) {
    if (method->trained == 0) return std::nullopt;
    sum += static_cast<double>(method->tested) / static_cast<double>(method->trained);
  }
  return sum / static_cast<double>(blocks.size());
}

void resampled_t(const std::vector<Block>& blocks, const Differences& d, Standing& standing) {
  const auto ratio = test_to_train(blocks);
  if (!ratio) {
    standing.t.remark = sizes_unknown;
    return;
  }
  standing.t.p = statistics::resampled_t_test(d.values, *ratio, d.resolution);
  standing.difference_reach = statistics::resampled_t_reach(d.values, *ratio, d.resolution);
}

/// Sets the difference of a method to the baseline and the tests that suit the blocks; see
/// compare(). Sets `by_rows` if samples and blocks were tested together, and `row_groups`.
void test_against(const Method& baseline, const Method& method, Standing& standing,
                  Comparison& comparison) {
  const auto blocks = shared_blocks(method, baseline);
  if (blocks.empty()) {
    remark_other_rows(method, baseline, standing);
    return;
  }
  const Differences d = differences(blocks);
  const double mean = statistics::summary(d.values).mean;
  standing.difference = std::abs(mean) <= d.resolution ? 0 : mean;
  if (method.measurements.size() == 1) {
    test_rows(blocks.front(), standing, comparison);
    return;
  }
  if (blocks.size() < 2) return;
  const BlockRelation relation =
      stricter(relation_of_blocks(method).value_or(BlockRelation::unknown),
               relation_of_blocks(baseline).value_or(BlockRelation::unknown));
  const bool again = relation == BlockRelation::same_rows || relation == BlockRelation::unknown;
  if (again && !repeats_vary(method) && !repeats_vary(baseline)) {
    test_rows(blocks.front(), standing, comparison);
    if (!standing.mcnemar.p && !standing.t.p) standing.t.remark = no_variation;
  } else if (relation == BlockRelation::same_rows && std::ranges::all_of(blocks, pairs_rows)) {
    crossed_t(blocks, standing, comparison);
  } else if (relation == BlockRelation::overlapping) {
    resampled_t(blocks, d, standing);
  } else {
    standing.t.p = statistics::paired_t_test(d.values, d.resolution);
    standing.difference_reach = statistics::resampled_t_reach(d.values, 0, d.resolution);
    standing.wilcoxon = wilcoxon(d.values, d.resolution);
  }
}

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

/// The standard error of a method's mean over blocks of the same data: by Nadeau and Bengio's
/// variance, as in the test; unchanged where the sizes are unknown.
void correct_standard_error(const Method& method, Standing& standing) {
  std::vector<Block> blocks;
  for (const Measurement* one : measured_blocks(method)) blocks.push_back({one, one});
  if (blocks.size() < 2) return;
  if (const auto ratio = test_to_train(blocks))
    standing.standard_error =
        standing.deviation * std::sqrt(1 / static_cast<double>(blocks.size()) + *ratio);
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
  const auto has_rows = [](const Method& method) {
    return std::ranges::any_of(method.measurements,
                               [](const Measurement& m) { return knows_rows(m); });
  };
  if (relation == BlockRelation::same_rows && std::ranges::any_of(table.methods, has_rows))
    return false;
  return std::ranges::any_of(table.methods, repeats_vary);
}

/// Ranks of the methods with measurements, over the blocks on which all of these have the same
/// rows.
void rank(const ResultTable& table, Comparison& comparison) {
  std::vector<std::size_t> finished;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (comparison.standings[i].measured > 0) finished.push_back(i);
  std::vector<std::vector<double>> blocks;
  for (std::size_t b = 0; b < table.blocks.size(); ++b) {
    std::vector<double> values;
    for (const std::size_t i : finished) {
      const Measurement& one = table.methods[i].measurements[b];
      if (measured(one) && may_be_paired(one, table.methods[finished.front()].measurements[b]))
        values.push_back(one.value);
    }
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
  Comparison result = compare_methods(table);
  result.effects = slot_effects(table);
  return result;
}

Comparison compare_methods(const ResultTable& table) {
  check(table);
  Comparison comparison;
  for (const Method& method : table.methods) comparison.standings.push_back(described(method));
  mark_best(table, comparison.standings);
  const std::optional<ResultTable> groups = table_of_groups(table);
  const ResultTable& tested = groups ? *groups : table;
  comparison.groups = groups ? groups->blocks.size() : 0;
  comparison.relation = relation_of_blocks(tested);
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (groups)
      comparison.standings[i].standard_error = described(groups->methods[i]).standard_error;
    else if (comparison.relation == BlockRelation::overlapping)
      correct_standard_error(table.methods[i], comparison.standings[i]);
  rank(tested, comparison);
  if (!table.baseline) return comparison;
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (i != *table.baseline)
      test_against(tested.methods[*table.baseline], tested.methods[i], comparison.standings[i],
                   comparison);
  correct(comparison.standings);
  return comparison;
}

}  // namespace semblance
