// SPDX-License-Identifier: MIT
#include "report/tables/blocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace semblance {
std::vector<const Measurement*> measured_blocks(const Method& method) {
  std::vector<const Measurement*> found;
  for (const Measurement& measurement : method.measurements)
    if (std::isfinite(measurement.value)) found.push_back(&measurement);
  return found;
}

namespace {

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

bool may_be_paired(const Measurement& one, const Measurement& other) {
  const bool known = !one.test_rows.empty() && !other.test_rows.empty();
  if (known && one.test_rows == other.test_rows) return true;
  if (one.drawn_from.empty() || other.drawn_from.empty()) return !known;
  return one.trained == other.trained && one.tested == other.tested &&
         std::ranges::find_first_of(one.drawn_from, other.drawn_from) != one.drawn_from.end();
}

namespace {

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
    if (!one.test_rows.empty())
      mean.test_rows += (mean.test_rows.empty() ? "" : "+") + one.test_rows;
  }
  mean.value = sum / count;
  mean.drawn_from.assign(drawn_from.begin(), drawn_from.end());
  return mean;
}

}  // namespace

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

}  // namespace semblance
