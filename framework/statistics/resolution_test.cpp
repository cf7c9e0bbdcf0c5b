// SPDX-License-Identifier: MIT
#include "statistics/resolution.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "statistics/paired_tests.hpp"
#include "statistics/summary.hpp"

namespace semblance::statistics::resolution_test {
namespace {

/// Fifty errors in 243 samples, in three folds of 81, distributed in different ways.
const double fifty_one_way = summary(std::vector{16.0 / 81, 17.0 / 81, 17.0 / 81}).mean;
const double fifty_another_way = summary(std::vector{10.0 / 81, 37.0 / 81, 3.0 / 81}).mean;

TEST_CASE("equal counts added up in another order are the same, other counts are not") {
  REQUIRE(fifty_one_way != fifty_another_way);
  CHECK(same_figure(fifty_one_way, fifty_another_way));
  CHECK_FALSE(better_figure(fifty_one_way, fifty_another_way, false));
  CHECK_FALSE(better_figure(fifty_another_way, fifty_one_way, false));
  CHECK_FALSE(same_figure(50.0 / 1e6, 51.0 / 1e6));
  CHECK(better_figure(0.25, 0.5, false));
  CHECK(better_figure(0.5, 0.25, true));
}

TEST_CASE("what is not finite is the same as itself alone") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(same_figure(infinite, infinite));
  CHECK_FALSE(same_figure(infinite, 5));
  CHECK_FALSE(same_figure(infinite, -infinite));
  CHECK_FALSE(same_figure(std::nan(""), std::nan("")));
  CHECK_FALSE(better_figure(1, std::nan(""), true));
}

TEST_CASE("groups keep the order given; a chain of small steps is not one group") {
  const Groups groups = groups_of_same(std::vector{0.5, 0.1 + 0.2, std::nan(""), 0.3});
  CHECK(groups.order == std::vector<std::size_t>{1, 3, 0, 2});
  CHECK(groups.ends == std::vector<std::size_t>{2, 3, 4});
  std::vector<double> chain;
  for (int i = 0; i < 4; ++i) chain.push_back(1 + 0.8e-12 * i);
  CHECK(groups_of_same(chain).ends == std::vector<std::size_t>{2, 4});
}

TEST_CASE("rounding decides neither ranks nor Friedman's test") {
  const double a = fifty_one_way, b = fifty_another_way;
  CHECK(mid_ranks(std::vector{a, b, 0.5}) == std::vector{1.5, 1.5, 3.0});
  const std::vector<std::vector<double>> rounded = {{a, b, 0.5}, {b, a, 0.4}, {0.1, 0.3, 0.2}};
  const std::vector<std::vector<double>> exact = {{a, a, 0.5}, {a, a, 0.4}, {0.1, 0.3, 0.2}};
  CHECK(*friedman_test(rounded) == *friedman_test(exact));
}

TEST_CASE("the resolution is that of the greatest value") {
  CHECK(resolution_of(std::vector{0.5, -2.0, std::nan("")}) == 2e-12);
  CHECK(resolution_of({}) == 0);
}

}  // namespace
}  // namespace semblance::statistics::resolution_test
