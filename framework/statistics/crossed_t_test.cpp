// SPDX-License-Identifier: MIT

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::crossed_t_test_cases {
namespace {

using Differences = std::vector<std::vector<double>>;

TEST_CASE("where trainings do not differ it is the t test over the rows") {
  const std::vector<double> once = {1, 1, 0, -1, 1, 0, 0, 1};
  const double p = *crossed_t_test(Differences{once, once, once});
  CHECK(p == doctest::Approx(*paired_t_test(once)).epsilon(1e-12));
  const std::vector<double> losses = {0.25, 3, -1.5, 2, 0, 1e-3};
  CHECK(*crossed_t_test(Differences{losses, losses}) ==
        doctest::Approx(*paired_t_test(losses)).epsilon(1e-12));
}

TEST_CASE("the variances of rows and trainings add up, with Satterthwaite's degrees") {
  // The trainings' means are 1/2 and 0, and so are the samples' means: for both the mean has the
  // variance (1/4)^2 and one degree of freedom, so together two. t = (1/4) / sqrt(1/8), t^2 = 1/2.
  const double p = *crossed_t_test(Differences{{1, 0}, {0, 0}});
  CHECK(p == doctest::Approx(1 - std::sqrt(0.5 / 2.5)).epsilon(1e-12));
}

TEST_CASE("the interval ends where the test would no longer reject at 5 %") {
  const Differences all = {{1, 0, 0, 1, 0.5}, {0, 0, 1, 1, 0}, {1, -1, 0, 1, 0.25}};
  const double reach = *crossed_t_reach(all);
  double mean = 0;
  for (const auto& one : all)
    for (const double d : one) mean += d / 15;
  Differences moved = all;
  for (auto& one : moved)
    for (double& d : one) d -= mean - reach;
  CHECK(*crossed_t_test(moved) == doctest::Approx(0.05).epsilon(1e-9));
  CHECK(*crossed_t_reach(Differences{{0, 0}, {0, 0}}) == 0);
  CHECK_FALSE(crossed_t_reach(Differences{{1, 1}, {1, 1}}));
}

TEST_CASE("what cannot be tested is nothing, no difference is p = 1") {
  CHECK(*crossed_t_test(Differences{{0, 0}, {0, 0}}) == 1);
  CHECK(*crossed_t_test(Differences{{1, -1}, {-1, 1}}) == 1);
  CHECK_FALSE(crossed_t_test({}));
  CHECK_FALSE(crossed_t_test(Differences{{1, 0}}));
  CHECK_FALSE(crossed_t_test(Differences{{1}, {0}}));
  CHECK_FALSE(crossed_t_test(Differences{{1, 1}, {1, 1}}));
  CHECK_FALSE(crossed_t_test(Differences{{1, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace semblance::statistics::crossed_t_test_cases
