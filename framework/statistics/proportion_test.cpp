// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "statistics/summary.hpp"

namespace semblance::statistics::proportion_test {
namespace {

TEST_CASE("the ends of Wilson's interval are the proportions whose test is at its limit") {
  for (const std::size_t part : {1, 5, 37, 99}) {
    const Interval interval = wilson_interval(part, 100);
    for (const double p : {interval.low, interval.high})
      CHECK(std::abs(0.01 * static_cast<double>(part) - p) / std::sqrt(p * (1 - p) / 100) ==
            doctest::Approx(1.959963984540054));
    CHECK(interval.low < interval.high);
  }
}

TEST_CASE("Wilson's interval where all trials agree") {
  CHECK(wilson_interval(0, 10).low == 0);
  CHECK(wilson_interval(0, 10).high == doctest::Approx(0.2775).epsilon(1e-3));
  CHECK(wilson_interval(10, 10).low == doctest::Approx(1 - 0.2775).epsilon(1e-3));
  CHECK(wilson_interval(10, 10).high == 1);
  CHECK(wilson_interval(1, 1).high == 1);
}

}  // namespace
}  // namespace semblance::statistics::proportion_test
