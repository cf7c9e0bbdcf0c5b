// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <utility>

#include "semblance/error.hpp"
#include "semblance/pairs.hpp"

namespace semblance {

PairSet PairSet::listed(std::vector<Pair> pairs) {
  PairSet set;
  set.pairs_ = std::move(pairs);
  return set;
}

PairSet PairSet::all_of(std::vector<std::int32_t> rows, std::vector<std::int32_t> classes,
                        bool reflexive) {
  if (rows.size() != classes.size())
    throw Error("all pairs of " + std::to_string(rows.size()) + " rows need as many classes, not " +
                std::to_string(classes.size()));
  PairSet set;
  set.rows_ = std::move(rows);
  set.classes_ = std::move(classes);
  set.reflexive_ = reflexive;
  return set;
}

std::size_t PairSet::size() const noexcept {
  if (is_list()) return pairs_.size();
  const std::size_t n = rows_.size();
  return reflexive_ ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

std::size_t PairSet::positives() const {
  std::size_t count = 0;
  for (const Pair& pair : pairs_) count += pair.label > 0 ? 1 : 0;
  std::map<std::int32_t, std::size_t> sizes;
  for (const std::int32_t c : classes_)
    if (c >= 0) ++sizes[c];
  for (const auto& [c, n] : sizes) count += reflexive_ ? n * (n + 1) / 2 : n * (n - 1) / 2;
  return count;
}

std::vector<Pair> PairSet::expanded() const {
  if (is_list()) return pairs_;
  std::vector<Pair> pairs;
  pairs.reserve(size());
  visit([&](const Pair& pair) { pairs.push_back(pair); });
  return pairs;
}

namespace {

/// Looks up pairs of a set, in either order. Needs 8 bytes per listed pair.
class PairLookup {
 public:
  explicit PairLookup(const PairSet& pairs)
      : reflexive_(pairs.reflexive()), rows_(pairs.rows().begin(), pairs.rows().end()) {
    keys_.reserve(pairs.list().size());
    for (const Pair& pair : pairs.list()) keys_.push_back(key(pair));
    std::ranges::sort(keys_);
    std::ranges::sort(rows_);
  }

  bool has(const Pair& pair) const {
    if (std::ranges::binary_search(keys_, key(pair))) return true;
    if (pair.first == pair.second && !reflexive_) return false;
    return std::ranges::binary_search(rows_, pair.first) &&
           std::ranges::binary_search(rows_, pair.second);
  }

 private:
  static std::uint64_t key(const Pair& pair) {
    const auto [low, high] = std::minmax(pair.first, pair.second);
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(low)) << 32 |
           static_cast<std::uint32_t>(high);
  }

  bool reflexive_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::int32_t> rows_;
};

}  // namespace

std::optional<Pair> common_pair(const PairSet& pairs, const PairSet& others) {
  if (pairs.size() == 0 || others.size() == 0) return std::nullopt;
  std::optional<Pair> found;
  // Looking up in all pairs of some rows needs no table; for two lists, the table is of the shorter
  // one.
  const bool first = others.is_list() && (!pairs.is_list() || pairs.size() < others.size());
  const PairLookup lookup(first ? pairs : others);
  (first ? others : pairs).visit([&](const Pair& pair) {
    if (!found && lookup.has(pair)) found = pair;
  });
  return found;
}

PairSet without(const PairSet& pairs, const PairSet& others) {
  if (!common_pair(pairs, others)) return pairs;
  const PairLookup lookup(others);
  std::vector<Pair> left;
  pairs.visit([&](const Pair& pair) {
    if (!lookup.has(pair)) left.push_back(pair);
  });
  return PairSet::listed(std::move(left));
}

}  // namespace semblance
