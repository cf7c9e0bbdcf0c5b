// SPDX-License-Identifier: MIT
#include "statistics/summary.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace semblance::statistics::summary_test {
namespace {

TEST_CASE("mean, deviation and standard error of a sample") {
  const std::array values = {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  const Summary s = summary(values);
  CHECK(s.count == 8);
  CHECK(s.mean == 5);
  CHECK(s.deviation == doctest::Approx(std::sqrt(32.0 / 7)).epsilon(1e-15));
  CHECK(s.standard_error == doctest::Approx(std::sqrt(32.0 / 56)).epsilon(1e-15));
}

TEST_CASE("equal values are their own mean, without any spread") {
  for (const std::size_t n : {2, 3, 7, 10}) {
    const Summary s = summary(std::vector<double>(n, 0.1));
    CHECK(s.mean == 0.1);
    CHECK(s.deviation == 0);
  }
}

TEST_CASE("a large offset does not drown the spread") {
  const std::array values = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
  CHECK(summary(values).mean == 1e9 + 10);
  CHECK(summary(values).deviation == doctest::Approx(std::sqrt(30.0)).epsilon(1e-14));
}

TEST_CASE("figures that need more values are NaN") {
  CHECK(std::isnan(summary({}).mean));
  const Summary one = summary(std::array{0.25});
  CHECK(one.mean == 0.25);
  CHECK(std::isnan(one.deviation));
  CHECK(std::isnan(one.standard_error));
  CHECK(std::isnan(summary(std::array{1.0, std::numeric_limits<double>::quiet_NaN()}).mean));
}

}  // namespace
}  // namespace semblance::statistics::summary_test
