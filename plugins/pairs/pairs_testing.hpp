// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "semblance/pairs.hpp"
#include "semblance/plugin_testing.hpp"

/// Helpers for tests of choices of pairs.
namespace semblance::testing {

/// Classes a, b, c..., and rows that the test names; the first `train` are for training.
struct Examples {
  std::vector<std::int32_t> labels;
  std::size_t train = 0;
  std::vector<std::string> classes = {"a", "b", "c", "d"};
  PairExamples view() const { return {labels, train, classes}; }
};

inline bool contains(const std::vector<Pair>& pairs, const Pair& wanted) {
  return std::ranges::find(pairs, wanted) != pairs.end();
}

inline bool distinct(const std::vector<Pair>& pairs) {
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  for (const Pair& p : pairs)
    seen.emplace(std::min(p.first, p.second), std::max(p.first, p.second));
  return seen.size() == pairs.size();
}

}  // namespace semblance::testing
