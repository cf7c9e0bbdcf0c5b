// SPDX-License-Identifier: MIT
#include "report/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "semblance/error.hpp"
#include "semblance/same_figure.hpp"
#include "statistics/friedman.hpp"
#include "statistics/paired_tests.hpp"
#include "statistics/resolution.hpp"
#include "statistics/summary.hpp"

namespace semblance {

namespace {

std::vector<const Measurement*> measured_blocks(const Method& method) {
  std::vector<const Measurement*> found;
  for (const Measurement& measurement : method.measurements)
    if (std::isfinite(measurement.value)) found.push_back(&measurement);
  return found;
}

/// Whether two of them share any of the names that identify their samples.
bool share_rows(const std::vector<const Measurement*>& blocks) {
  std::map<std::string, int> blocks_with;
  for (const Measurement* block : blocks) {
    std::set<std::string> names(block->drawn_from.begin(), block->drawn_from.end());
    if (!block->test_rows.empty()) names.insert("tested " + block->test_rows);
    for (const auto& name : names) ++blocks_with[name];
  }
  return std::ranges::any_of(blocks_with, [](const auto& item) { return item.second > 1; });
}

bool all_share(const std::vector<const Measurement*>& blocks) {
  return std::ranges::all_of(blocks, [&](const Measurement* block) {
    return block->test_rows == blocks.front()->test_rows &&
           (!block->test_rows.empty() || block->drawn_from == blocks.front()->drawn_from);
  });
}

/// How the blocks on which a method was measured are related, as far as the measurements show.
/// Blocks that share a file, all their samples or their test samples overlap; they are `same_rows`
/// where all have the same test samples, or, without any, the same data. Nothing below two measured
/// blocks.
std::optional<BlockRelation> relation_of_blocks(const Method& method) {
  const auto blocks = measured_blocks(method);
  if (blocks.size() < 2) return std::nullopt;
  if (std::ranges::any_of(blocks, [](const auto* block) { return block->drawn_from.empty(); }))
    return BlockRelation::unknown;
  if (all_share(blocks)) return BlockRelation::same_rows;
  return share_rows(blocks) ? BlockRelation::overlapping : BlockRelation::independent;
}

/// The relation that allows fewer tests.
BlockRelation stricter(BlockRelation one, BlockRelation other) {
  constexpr std::array order = {BlockRelation::independent, BlockRelation::unknown,
                                BlockRelation::same_rows, BlockRelation::overlapping};
  return std::max(one, other, [&](BlockRelation a, BlockRelation b) {
    return std::ranges::find(order, a) < std::ranges::find(order, b);
  });
}

/// The relation for all methods; unknown if none has two blocks.
BlockRelation relation_of_blocks(const ResultTable& table) {
  std::optional<BlockRelation> all;
  for (const Method& method : table.methods)
    if (const auto one = relation_of_blocks(method)) all = stricter(all.value_or(*one), *one);
  return all.value_or(BlockRelation::unknown);
}

/// Whether a method has different results on its blocks: other figures or, if known, other samples
/// classified right.
bool repeats_vary(const Method& method) {
  const auto blocks = measured_blocks(method);
  return std::ranges::any_of(blocks, [&](const Measurement* block) {
    return !same_figure(block->value, blocks.front()->value) ||
           block->correct != blocks.front()->correct || block->losses != blocks.front()->losses;
  });
}

/// The data that both were measured on.
struct Block {
  const Measurement* method;
  const Measurement* baseline;
};

std::vector<Block> shared_blocks(const Method& method, const Method& baseline) {
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < method.measurements.size(); ++b)
    if (std::isfinite(method.measurements[b].value) &&
        std::isfinite(baseline.measurements[b].value))
      blocks.push_back({&method.measurements[b], &baseline.measurements[b]});
  return blocks;
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

/// The samples of one block are the pairs.
void test_rows(const Block& block, Standing& standing, bool& by_rows) {
  if (!pairs_rows(block)) {
    if (!knows_rows(block)) return;
    const bool recorded = !block.method->test_rows.empty() && !block.baseline->test_rows.empty();
    PairedTest& test = block.method->losses.empty() ? standing.mcnemar : standing.t;
    test.remark = recorded ? other_test_rows : test_rows_unknown;
    return;
  }
  const auto rows = row_differences(block);
  if (block.method->losses.empty()) {
    standing.mcnemar.p =
        statistics::mcnemar_test(static_cast<std::size_t>(std::ranges::count(rows, 1)),
                                 static_cast<std::size_t>(std::ranges::count(rows, -1)));
    return;
  }
  standing.t.p = statistics::paired_t_test(rows);
  standing.wilcoxon = wilcoxon(rows, 0);
  by_rows = true;
}

PairedTest crossed_t(const std::vector<Block>& blocks) {
  std::vector<std::vector<double>> rows;
  for (const Block& block : blocks) rows.push_back(row_differences(block));
  return {statistics::crossed_t_test(rows)};
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
/// compare(). Sets `by_rows` if samples and blocks were tested together.
void test_against(const Method& baseline, const Method& method, Standing& standing, bool& by_rows) {
  const auto blocks = shared_blocks(method, baseline);
  if (blocks.empty()) return;
  const Differences d = differences(blocks);
  const double mean = statistics::summary(d.values).mean;
  standing.difference = std::abs(mean) <= d.resolution ? 0 : mean;
  if (method.measurements.size() == 1) {
    test_rows(blocks.front(), standing, by_rows);
    return;
  }
  if (blocks.size() < 2) return;
  const BlockRelation relation =
      stricter(relation_of_blocks(method).value_or(BlockRelation::unknown),
               relation_of_blocks(baseline).value_or(BlockRelation::unknown));
  const bool again = relation == BlockRelation::same_rows || relation == BlockRelation::unknown;
  if (again && !repeats_vary(method) && !repeats_vary(baseline)) {
    test_rows(blocks.front(), standing, by_rows);
    if (!standing.mcnemar.p && !standing.t.p) standing.t.remark = no_variation;
  } else if (relation == BlockRelation::same_rows && std::ranges::all_of(blocks, pairs_rows)) {
    standing.t = crossed_t(blocks);
    by_rows = true;
  } else if (relation == BlockRelation::overlapping) {
    resampled_t(blocks, d, standing);
  } else {
    standing.t.p = statistics::paired_t_test(d.values, d.resolution);
    standing.difference_reach = statistics::resampled_t_reach(d.values, 0, d.resolution);
    standing.wilcoxon = wilcoxon(d.values, d.resolution);
  }
}

constexpr std::size_t no_group = static_cast<std::size_t>(-1);

/// The group of each block: blocks that share samples, directly or by way of others, are in one.
/// Blocks that no method was measured on are in none. Empty where it is unknown what is shared.
std::vector<std::size_t> groups_of_blocks(const ResultTable& table) {
  std::vector<std::size_t> group(table.blocks.size(), no_group);
  std::map<std::string, std::size_t> seen;
  const auto join = [&](std::size_t block, const std::string& name) {
    const auto [other, fresh] = seen.emplace(name, block);
    if (!fresh) std::ranges::replace(group, group[block], std::size_t{group[other->second]});
  };
  for (std::size_t b = 0; b < group.size(); ++b)
    for (const Method& method : table.methods) {
      const Measurement& one = method.measurements[b];
      if (!std::isfinite(one.value)) continue;
      if (one.drawn_from.empty()) return {};
      if (group[b] == no_group) group[b] = b;
      for (const std::string& name : one.drawn_from) join(b, name);
      if (!one.test_rows.empty()) join(b, "tested " + one.test_rows);
    }
  return group;
}

/// The mean over the blocks of a group; no value where one is missing.
Measurement mean_of_group(const Method& method, const std::vector<std::size_t>& group,
                          std::size_t number) {
  Measurement mean;
  double sum = 0, count = 0;
  std::set<std::string> drawn_from;
  for (std::size_t b = 0; b < group.size(); ++b) {
    if (group[b] != number) continue;
    const Measurement& one = method.measurements[b];
    sum += one.value;
    ++count;
    drawn_from.insert(one.drawn_from.begin(), one.drawn_from.end());
    mean.trained += one.trained;
    mean.tested += one.tested;
  }
  mean.value = sum / count;
  mean.drawn_from.assign(drawn_from.begin(), drawn_from.end());
  return mean;
}

/// The table of the groups' means; nothing where blocks are all independent, or all related.
std::optional<ResultTable> table_of_groups(const ResultTable& table) {
  const auto group = groups_of_blocks(table);
  if (group.empty()) return std::nullopt;
  std::set<std::size_t> numbers(group.begin(), group.end());
  const auto unmeasured = std::ranges::count(group, no_group);
  numbers.erase(no_group);
  if (numbers.size() < 2 || numbers.size() + static_cast<std::size_t>(unmeasured) == group.size())
    return std::nullopt;
  ResultTable result;
  result.higher_is_better = table.higher_is_better;
  result.baseline = table.baseline;
  for (const std::size_t number : numbers) result.blocks.push_back(std::to_string(number));
  for (const Method& method : table.methods) {
    Method& grouped = result.methods.emplace_back();
    for (const std::size_t number : numbers)
      grouped.measurements.push_back(mean_of_group(method, group, number));
  }
  return result;
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
                   comparison.by_rows);
  correct(comparison.standings);
  return comparison;
}

}  // namespace semblance
