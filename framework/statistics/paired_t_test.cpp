// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::paired_t_test_cases {
namespace {

TEST_CASE("Student's sleep data: t = 4.0621 with 9 degrees of freedom, p = 0.002833") {
  const std::array more = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  CHECK(*paired_t_test(more) == doctest::Approx(0.002833).epsilon(2e-4));
  std::array<double, 10> less = {};
  for (std::size_t i = 0; i < more.size(); ++i) less[i] = -more[i];
  CHECK(*paired_t_test(less) == *paired_t_test(more));
}

TEST_CASE("an interval ends where the test of its end is at 5 %") {
  const std::array more = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  const double mean = 1.58;
  for (const double ratio : {0.0, 0.5}) {
    const double reach = *resampled_t_reach(more, ratio);
    for (const double end : {mean - reach, mean + reach}) {
      std::array<double, 10> moved = more;
      for (double& d : moved) d -= end;
      CHECK(*resampled_t_test(moved, ratio) == doctest::Approx(0.05).epsilon(1e-9));
    }
  }
  CHECK(*resampled_t_reach(more, 0) == doctest::Approx(0.8800).epsilon(1e-3));  // R: 0.70 to 2.46
  CHECK(*resampled_t_reach(std::array{0.0, 0.0}, 0) == 0);
  CHECK_FALSE(resampled_t_reach(std::array{0.5}, 0));
  CHECK_FALSE(resampled_t_reach(std::array{0.5, 0.5, 0.5}, 0));
}

TEST_CASE("with one degree of freedom it is Cauchy's distribution, with two an algebraic one") {
  const std::array two = {1.0, 2.0};  // t = 1.5 / 0.5
  CHECK(*paired_t_test(two) ==
        doctest::Approx(1 - 2 / std::numbers::pi * std::atan(3.0)).epsilon(1e-13));
  const std::array three = {1.0, 2.0, 4.0};
  const double t = (7.0 / 3) / std::sqrt(7.0 / 9);
  CHECK(*paired_t_test(three) == doctest::Approx(1 - t / std::sqrt(2 + t * t)).epsilon(1e-13));
}

TEST_CASE("no difference at all and none on average are both p = 1") {
  CHECK(*paired_t_test(std::array{0.0, 0.0, 0.0}) == 1);
  CHECK(*paired_t_test(std::array{-1.0, 1.0}) == 1);
}

TEST_CASE("what cannot be tested is nothing") {
  CHECK_FALSE(paired_t_test({}));
  CHECK_FALSE(paired_t_test(std::array{0.5}));
  CHECK_FALSE(paired_t_test(std::array{0.5, 0.5, 0.5}));
  CHECK_FALSE(paired_t_test(std::array{0.3 - 0.2, 0.2 - 0.1}));  // equal but for rounding
  CHECK_FALSE(paired_t_test(std::array{0.5, std::numeric_limits<double>::quiet_NaN()}));
  CHECK_FALSE(paired_t_test(std::array{0.5, std::numeric_limits<double>::infinity()}));
  CHECK_FALSE(paired_t_test(std::array{1e308, -1e308}));  // squares that overflow
}

TEST_CASE("the corrected test widens the error by the share of rows that are tested") {
  // Ten splits with n2 / n1 = 1 / 2: the error is sqrt(1 + 10 / 2) times Student's. The p value is
  // scipy's, 2 * t.sf(4.06212768 / sqrt(6), 9).
  const std::array more = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  CHECK(*resampled_t_test(more, 0.5) == doctest::Approx(0.131621117).epsilon(1e-6));
  CHECK(*resampled_t_test(more, 0) == *paired_t_test(more));
  CHECK(*resampled_t_test(std::array{0.0, 0.0}, 0.5) == 1);
  CHECK_FALSE(resampled_t_test(std::array{0.5}, 0.5));
  CHECK_FALSE(resampled_t_test(more, std::numeric_limits<double>::infinity()));
}

TEST_CASE("what is below the resolution is no difference, and no spread") {
  CHECK(*paired_t_test(std::array{1e-17, -2e-17, 0.0}, 1e-15) == 1);
  CHECK_FALSE(paired_t_test(std::array{0.1, 0.1 + 1e-14, 0.1 - 1e-14}, 1e-12));
}

}  // namespace
}  // namespace semblance::statistics::paired_t_test_cases
