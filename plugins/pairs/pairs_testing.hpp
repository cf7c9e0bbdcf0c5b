// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/pairs.hpp"
#include "semblance/testing.hpp"

/// What the tests of all choices of pairs need.
namespace semblance::testing {

/// A component with parameters, as the runtime makes it; `part` is given to its component
/// parameter.
template <class T>
T make_pairs(const std::vector<std::pair<std::string, Value>>& values,
             std::unique_ptr<Component> part = nullptr) {
  T component;
  const ComponentEntry entry = T::declare().entry();
  std::size_t assigned = 0;
  for (std::size_t p = 0; p < entry.setters.size(); ++p) {
    if (entry.setters[p].component && part) entry.setters[p].component(component, std::move(part));
    for (const auto& [name, value] : values)
      if (entry.info.parameters[p].name == name) {
        entry.setters[p].value(component, value);
        ++assigned;
      }
  }
  REQUIRE(assigned == values.size());
  component.check_parameters();
  return component;
}

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
