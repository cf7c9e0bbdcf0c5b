// SPDX-License-Identifier: MIT
#include "greedy/greedy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

namespace greedy_test {

using namespace semblance::linear;

namespace {

/// The numbers among 0 … 9 that each candidate covers; the value of a choice is the share covered.
const std::vector<std::set<int>> sets = {
    {0, 1}, {2, 3, 4, 5}, {4, 5, 6, 7}, {2, 3, 4, 8}, {2, 3, 4, 5}};

double covered(std::span<const std::size_t> chosen, std::size_t candidate) {
  std::set<int> all = sets[candidate];
  for (const std::size_t c : chosen) all.insert(sets[c].begin(), sets[c].end());
  return static_cast<double>(all.size()) / 10;
}

std::optional<std::vector<double>> values(std::span<const std::size_t> chosen,
                                          std::span<const std::size_t> candidates) {
  std::vector<double> found;
  for (const std::size_t c : candidates) found.push_back(covered(chosen, c));
  return found;
}

std::vector<std::size_t> order(const GreedyChoice& choice) {
  std::vector<std::size_t> chosen;
  for (const GreedyStep& step : choice.steps) chosen.push_back(step.chosen);
  return chosen;
}

}  // namespace

TEST_CASE("the largest gain comes first, and the first candidate between equals") {
  const auto choice = choose_greedily(5, 5, 0, 0.1, values);
  CHECK(order(choice) == std::vector<std::size_t>{1, 0, 2, 3, 4});
  CHECK(choice.complete);
  const std::vector<double> expected = {0.4, 0.6, 0.8, 0.9, 0.9}, gains = {0.3, 0.2, 0.2, 0.1, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(choice.steps[i].value == doctest::Approx(expected[i]));
    CHECK(choice.steps[i].gain == doctest::Approx(gains[i]));
  }
  REQUIRE(choice.tried.size() == 5);
  CHECK(choice.tried[1][2] == doctest::Approx(0.6));
  CHECK(std::isnan(choice.tried[1][1]));
}

TEST_CASE("it stops once the gain is below its limit, and returns all values tried") {
  const auto choice = choose_greedily(5, 5, 0.15, 0, values);
  CHECK(order(choice) == std::vector<std::size_t>{1, 0, 2});
  REQUIRE(choice.tried.size() == 4);
  CHECK(choice.tried[3][3] == doctest::Approx(0.9));
  // The first is always taken.
  CHECK(order(choose_greedily(5, 5, 0.9, 0, values)) == std::vector<std::size_t>{1});
}

TEST_CASE("it stops after the wanted number, or if there are no more values") {
  CHECK(order(choose_greedily(5, 2, 0, 0, values)) == std::vector<std::size_t>{1, 0});
  const auto interrupted = choose_greedily(
      5, 5, 0, 0, [](auto chosen, auto candidates) -> std::optional<std::vector<double>> {
        if (chosen.size() == 2) return std::nullopt;
        return values(chosen, candidates);
      });
  CHECK_FALSE(interrupted.complete);
  CHECK(order(interrupted) == std::vector<std::size_t>{1, 0});
  CHECK(interrupted.tried.size() == 2);
}

TEST_CASE("rounding decides neither who comes first nor where it stops") {
  // 0.1 + 0.2 differs from 0.3 in the last bit, as does 0.9 - 0.8 from 0.1.
  const GreedyValues rounded = [](auto chosen, auto candidates) {
    std::vector<double> found;
    for (const std::size_t candidate : candidates)
      found.push_back(chosen.empty() ? (candidate == 0 ? 0.3 : 0.1 + 0.2) : 0.4);
    return std::optional(found);
  };
  REQUIRE(0.3 < 0.1 + 0.2);
  CHECK(order(choose_greedily(2, 1, 0, 0, rounded)) == std::vector<std::size_t>{0});
  const GreedyValues barely = [](auto chosen, auto candidates) {
    return std::optional(std::vector<double>(candidates.size(), chosen.empty() ? 0.8 : 0.9));
  };
  REQUIRE(0.9 - 0.8 < 0.1);
  CHECK(order(choose_greedily(2, 2, 0.1, 0, barely)) == std::vector<std::size_t>{0, 1});
}

}  // namespace greedy_test
