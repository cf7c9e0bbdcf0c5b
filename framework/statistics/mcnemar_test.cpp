// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::mcnemar_test_cases {
namespace {

/// Twice the smaller tail from Pascal's triangle, exact up to 50 samples.
double by_counting(std::size_t first, std::size_t second) {
  const std::size_t n = first + second;
  std::vector<double> ways = {1};
  for (std::size_t row = 0; row < n; ++row) {
    ways.push_back(0);
    for (std::size_t i = ways.size() - 1; i > 0; --i) ways[i] += ways[i - 1];
  }
  double tail = 0;
  for (std::size_t i = 0; i <= std::min(first, second); ++i) tail += ways[i];
  return std::min(1.0, 2 * std::ldexp(tail, -static_cast<int>(n)));
}

TEST_CASE("the p value is that of counting coin tosses") {
  CHECK(mcnemar_test(1, 9) == doctest::Approx(22.0 / 1024).epsilon(1e-14));
  for (std::size_t first = 0; first <= 25; ++first)
    for (std::size_t second = 0; second <= 25; ++second)
      CHECK(mcnemar_test(first, second) ==
            doctest::Approx(by_counting(first, second)).epsilon(1e-12));
}

TEST_CASE("it takes many rows") {
  double tail = 0;
  for (int i = 0; i <= 4900; ++i)
    tail += std::exp(std::lgamma(10001.0) - std::lgamma(i + 1.0) - std::lgamma(10001.0 - i) -
                     10000 * std::log(2.0));
  CHECK(mcnemar_test(4900, 5100) == doctest::Approx(2 * tail).epsilon(1e-8));
  CHECK(mcnemar_test(0, 1000000) == 0);
  CHECK(mcnemar_test(500000, 500000) == 1);
}

TEST_CASE("p is 1 if no row distinguishes two methods") { CHECK(mcnemar_test(0, 0) == 1); }

}  // namespace
}  // namespace semblance::statistics::mcnemar_test_cases
