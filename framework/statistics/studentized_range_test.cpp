// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::studentized_range_test {
namespace {

TEST_CASE("the quantiles are those of Demsar's table 5a and of Harter's") {
  const std::array demsar = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  for (std::size_t i = 0; i < demsar.size(); ++i) {
    INFO("k = " << i + 2);
    CHECK(std::abs(studentized_range_quantile(0.95, i + 2) / std::numbers::sqrt2 - demsar[i]) <
          0.00101);
  }
  const std::array harter = {2.772, 3.314, 3.633, 3.858, 4.030, 4.170, 4.286, 4.387, 4.474};
  for (std::size_t i = 0; i < harter.size(); ++i)
    CHECK(std::abs(studentized_range_quantile(0.95, i + 2) - harter[i]) < 0.00051);
  CHECK(std::abs(studentized_range_quantile(0.99, 3) - 4.120) < 0.00051);
}

TEST_CASE("for two values it is the distribution of their difference") {
  for (const double range : {0.1, 1.0, 2.772, 5.0})
    CHECK(studentized_range_cdf(range, 2) == doctest::Approx(std::erf(range / 2)).epsilon(1e-11));
}

TEST_CASE("it is the plain sum of its integral for any number of values") {
  for (const std::size_t count : {3, 17, 1000, 100000})
    for (const double range : {2.0, 5.0, 9.0}) {
      double sum = 0;
      constexpr double step = 1.0 / 1024;
      for (int i = -9 * 1024; i <= 9 * 1024; ++i) {
        const double z = i * step;
        const double inside =
            (std::erfc(-z / std::numbers::sqrt2) - std::erfc((range - z) / std::numbers::sqrt2)) /
            2;
        sum += std::exp(-z * z / 2) * std::pow(inside, static_cast<double>(count - 1));
      }
      const double expected =
          static_cast<double>(count) * step * sum / std::sqrt(2 * std::numbers::pi);
      INFO(count << " values within " << range);
      CHECK(std::abs(studentized_range_cdf(range, count) - expected) < 1e-9);
    }
}

TEST_CASE("quantile and distribution undo each other; it goes from 0 to 1") {
  for (const std::size_t count : {2, 5, 50, 5000})
    for (const double p : {0.001, 0.5, 0.95, 0.999})
      CHECK(studentized_range_cdf(studentized_range_quantile(p, count), count) ==
            doctest::Approx(p).epsilon(1e-9));
  CHECK(studentized_range_cdf(0, 4) == 0);
  CHECK(studentized_range_cdf(40, 4) == doctest::Approx(1).epsilon(1e-12));
}

}  // namespace
}  // namespace semblance::statistics::studentized_range_test
