// SPDX-License-Identifier: MIT
#include "report/tables/paired_tests.hpp"

#include <algorithm>
#include <cmath>

#include "report/tables/block_relation.hpp"
#include "statistics/crossed_t.hpp"
#include "statistics/mcnemar.hpp"
#include "statistics/paired_t.hpp"
#include "statistics/resolution.hpp"
#include "statistics/summary.hpp"
#include "statistics/wilcoxon.hpp"

namespace semblance {
namespace {

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

bool knows_rows(const Block& block) {
  return !block.method->correct.empty() && !block.baseline->correct.empty();
}

/// Whether the test samples are known to be the same, and both methods record which were right.
bool pairs_rows(const Block& block) {
  return knows_rows(block) && !block.method->test_rows.empty() &&
         block.method->test_rows == block.baseline->test_rows &&
         block.method->correct.size() == block.baseline->correct.size();
}

std::vector<std::int8_t> row_differences(const Block& block) {
  std::vector<std::int8_t> rows;
  for (std::size_t r = 0; r < block.method->correct.size(); ++r)
    rows.push_back(static_cast<std::int8_t>((block.method->correct[r] ? 1 : 0) -
                                            (block.baseline->correct[r] ? 1 : 0)));
  return rows;
}

PairedTest mcnemar(const Block& block) {
  PairedTest test;
  if (pairs_rows(block)) {
    const auto rows = row_differences(block);
    test.p = statistics::mcnemar_test(static_cast<std::size_t>(std::ranges::count(rows, 1)),
                                      static_cast<std::size_t>(std::ranges::count(rows, -1)));
  } else if (knows_rows(block)) {
    const bool recorded = !block.method->test_rows.empty() && !block.baseline->test_rows.empty();
    test.remark = recorded ? other_test_rows : test_rows_unknown;
  }
  return test;
}

PairedTest crossed_t(const std::vector<Block>& blocks) {
  std::vector<std::vector<std::int8_t>> rows;
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

PairedTest resampled_t(const std::vector<Block>& blocks, const Differences& d) {
  const auto ratio = test_to_train(blocks);
  if (!ratio) return {{}, {}, sizes_unknown};
  return {statistics::resampled_t_test(d.values, *ratio, d.resolution)};
}

PairedTest wilcoxon(const Differences& d) {
  if (d.values.size() < statistics::wilcoxon_fewest) return {{}, {}, too_few_blocks};
  return {statistics::wilcoxon_signed_rank_test(d.values, d.resolution)};
}

}  // namespace

void test_against(const Method& baseline, const Method& method, Standing& standing, bool& by_rows) {
  const auto blocks = shared_blocks(method, baseline);
  if (blocks.empty()) return;
  const Differences d = differences(blocks);
  const double mean = statistics::summary(d.values).mean;
  standing.difference = std::abs(mean) <= d.resolution ? 0 : mean;
  if (method.measurements.size() == 1) {
    standing.mcnemar = mcnemar(blocks.front());
    return;
  }
  if (blocks.size() < 2) return;
  const BlockRelation relation =
      stricter(relation_of_blocks(method).value_or(BlockRelation::unknown),
               relation_of_blocks(baseline).value_or(BlockRelation::unknown));
  const bool again = relation == BlockRelation::same_rows || relation == BlockRelation::unknown;
  if (again && !repeats_vary(method) && !repeats_vary(baseline)) {
    standing.mcnemar = mcnemar(blocks.front());
    if (!standing.mcnemar.p) standing.t.remark = no_variation;
  } else if (relation == BlockRelation::same_rows && std::ranges::all_of(blocks, pairs_rows)) {
    standing.t = crossed_t(blocks);
    by_rows = true;
  } else if (relation == BlockRelation::overlapping) {
    standing.t = resampled_t(blocks, d);
  } else {
    standing.t.p = statistics::paired_t_test(d.values, d.resolution);
    standing.wilcoxon = wilcoxon(d);
  }
}

}  // namespace semblance
