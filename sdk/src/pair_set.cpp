// SPDX-License-Identifier: MIT
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

std::vector<Pair> PairSet::expanded() const {
  if (is_list()) return pairs_;
  std::vector<Pair> pairs;
  pairs.reserve(size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::size_t j = reflexive_ ? i : i + 1; j < rows_.size(); ++j) {
      const bool known = classes_[i] >= 0 && classes_[j] >= 0;
      pairs.push_back({rows_[i], rows_[j], !known ? 0 : classes_[i] == classes_[j] ? 1 : -1});
    }
  return pairs;
}

}  // namespace semblance
