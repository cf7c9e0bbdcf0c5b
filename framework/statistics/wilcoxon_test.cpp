// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::wilcoxon_test {
namespace {

/// The p value by definition: rank sums under all 2^n signs, ranks counted pair by pair.
double by_enumeration(const std::vector<double>& differences) {
  std::vector<double> magnitudes;
  std::vector<bool> positive;
  for (const double d : differences) {
    if (d == 0) continue;
    magnitudes.push_back(std::abs(d));
    positive.push_back(d > 0);
  }
  const std::size_t n = magnitudes.size();
  std::vector<double> ranks(n, 0.5);
  double observed = 0, middle = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      ranks[i] += magnitudes[j] < magnitudes[i] ? 1 : magnitudes[j] == magnitudes[i] ? 0.5 : 0;
    if (positive[i]) observed += ranks[i];
    middle += ranks[i] / 2;
  }
  std::size_t as_far = 0;
  for (std::size_t signs = 0; signs < (std::size_t{1} << n); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (signs >> i & 1) sum += ranks[i];
    as_far += std::abs(sum - middle) >= std::abs(observed - middle) - 1e-9 ? 1 : 0;
  }
  return static_cast<double>(as_far) / std::ldexp(1.0, static_cast<int>(n));
}

TEST_CASE("the exact p value is that of all sign patterns, with ties and zeros too") {
  std::mt19937 random(1);
  for (std::size_t n = 1; n <= 14; ++n)
    for (const int values : {2, 5, 1000}) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < n; ++i)
        differences.push_back(static_cast<int>(random() % (2 * values + 1)) - values);
      INFO("n = " << n << ", values up to " << values);
      CHECK(*wilcoxon_signed_rank_test(differences) ==
            doctest::Approx(by_enumeration(differences)).epsilon(1e-14));
    }
}

TEST_CASE("Hollander and Wolfe's depression data: V = 40, p = 0.03906") {
  const std::array before = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::array after = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(before[i] - after[i]);
  CHECK(*wilcoxon_signed_rank_test(differences) == 20.0 / 512);
}

TEST_CASE("six differences of one sign are the fewest that reach 5 %") {
  CHECK(*wilcoxon_signed_rank_test(std::array{1., 2., 3., 4., 5.}) == 2.0 / 32);
  CHECK(*wilcoxon_signed_rank_test(std::array{1., 2., 3., 4., 5., 6.}) == 2.0 / 64);
}

TEST_CASE("the normal approximation takes over where the exact one ends, and agrees with it") {
  std::vector<double> differences;
  for (int i = 1; i <= 50; ++i) differences.push_back(i % 3 == 0 ? -i : i);
  const double exact = *wilcoxon_signed_rank_test(differences);
  differences.push_back(0.5);
  CHECK(*wilcoxon_signed_rank_test(differences) == doctest::Approx(exact).epsilon(0.1));
  SUBCASE("with ties it is the formula") {
    const std::vector<double> tied(51, 1.0);
    const double z =
        (51.0 * 52 / 4 - 0.5) / std::sqrt(51.0 * 52 * 103 / 24 - (51.0 * 51 * 51 - 51) / 48);
    CHECK(*wilcoxon_signed_rank_test(tied) ==
          doctest::Approx(std::erfc(z / std::sqrt(2.0))).epsilon(1e-12));
  }
}

TEST_CASE("differences that only rounding distinguishes are ties") {
  const double small = 0.3 - 0.2, large = 0.2 - 0.1;
  REQUIRE(small != large);
  const std::vector<double> rounded = {small, -large, 0.25, 0.5, 1e-17};
  CHECK(*wilcoxon_signed_rank_test(rounded, 1e-15) == by_enumeration({0.1, -0.1, 0.25, 0.5}));
}

TEST_CASE("p is 1 where nothing differs, and nothing where nothing is tested") {
  CHECK(*wilcoxon_signed_rank_test(std::array{0.0, 0.0}) == 1);
  CHECK(*wilcoxon_signed_rank_test(std::array{0.5}) == 1);
  CHECK_FALSE(wilcoxon_signed_rank_test({}));
  CHECK_FALSE(wilcoxon_signed_rank_test(std::array{1.0, std::nan("")}));
  CHECK_FALSE(wilcoxon_signed_rank_test(std::array{1.0, std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace semblance::statistics::wilcoxon_test
