// SPDX-License-Identifier: MIT
#include "report/tables/block_relation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "semblance/same_figure.hpp"

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

}  // namespace

std::optional<BlockRelation> relation_of_blocks(const Method& method) {
  const auto blocks = measured_blocks(method);
  if (blocks.size() < 2) return std::nullopt;
  if (std::ranges::any_of(blocks, [](const auto* block) { return block->drawn_from.empty(); }))
    return BlockRelation::unknown;
  if (all_share(blocks)) return BlockRelation::same_rows;
  return share_rows(blocks) ? BlockRelation::overlapping : BlockRelation::independent;
}

BlockRelation stricter(BlockRelation one, BlockRelation other) {
  constexpr std::array order = {BlockRelation::independent, BlockRelation::unknown,
                                BlockRelation::same_rows, BlockRelation::overlapping};
  return std::max(one, other, [&](BlockRelation a, BlockRelation b) {
    return std::ranges::find(order, a) < std::ranges::find(order, b);
  });
}

BlockRelation relation_of_blocks(const ResultTable& table) {
  std::optional<BlockRelation> all;
  for (const Method& method : table.methods)
    if (const auto one = relation_of_blocks(method)) all = stricter(all.value_or(*one), *one);
  return all.value_or(BlockRelation::unknown);
}

bool repeats_vary(const Method& method) {
  const auto blocks = measured_blocks(method);
  return std::ranges::any_of(blocks, [&](const Measurement* block) {
    return !same_figure(block->value, blocks.front()->value) ||
           block->correct != blocks.front()->correct;
  });
}

}  // namespace semblance
