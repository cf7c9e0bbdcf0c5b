// SPDX-License-Identifier: MIT
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

}  // namespace semblance
