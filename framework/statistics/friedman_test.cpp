// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "statistics/paired_tests.hpp"

namespace semblance::statistics::friedman_test_cases {
namespace {

using Blocks = std::vector<std::vector<double>>;

/// Areas under the curve of C4.5 with and without two ways of pruning: Demsar's table 6.
const Blocks demsar = {
    {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
    {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
    {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
    {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
    {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};

/// Seconds to round first base in three ways: Hollander and Wolfe's table 7.1.
const Blocks rounding_times = {
    {5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40},
    {5.90, 5.85, 5.70}, {5.45, 5.55, 5.60}, {5.40, 5.40, 5.35}, {5.45, 5.50, 5.35},
    {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70}, {5.25, 5.20, 5.10}, {5.65, 5.55, 5.45},
    {5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40}, {5.45, 5.55, 5.50},
    {5.55, 5.55, 5.35}, {5.45, 5.50, 5.55}, {5.50, 5.45, 5.25}, {5.65, 5.60, 5.40},
    {5.70, 5.65, 5.55}, {6.30, 6.30, 6.25}};

TEST_CASE("ties share the mean of their ranks") {
  CHECK(mid_ranks(std::vector{0.3, 0.1, 0.3, 0.2}) == std::vector{3.5, 1.0, 3.5, 2.0});
  CHECK(mid_ranks(std::vector{7.0, 7.0, 7.0}) == std::vector{2.0, 2.0, 2.0});
  CHECK(mid_ranks({}).empty());
}

TEST_CASE("the average ranks are those of Demsar's table 6") {
  const auto ranks = average_ranks(demsar, true);
  CHECK(ranks == std::vector{44.0 / 14, 28.0 / 14, 40.5 / 14, 27.5 / 14});
  const auto reversed = average_ranks(demsar, false);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(ranks[i] + reversed[i] == doctest::Approx(5).epsilon(1e-14));
}

TEST_CASE("Demsar's critical difference for four methods on 14 data sets is 1.25") {
  CHECK(std::abs(*nemenyi_critical_difference(4, 14) - 1.25) < 0.005);
  CHECK_FALSE(nemenyi_critical_difference(1, 14));
  CHECK_FALSE(nemenyi_critical_difference(4, 0));
}

TEST_CASE("with three methods the F distribution has a closed form") {
  // R's friedman.test gives a chi-square of 11.143 for these.
  const double chi_square = 11.142857142857142;
  const double f = 21 * chi_square / (22 * 2 - chi_square);
  CHECK(*friedman_test(rounding_times) ==
        doctest::Approx(std::pow(1 + 2 * f / 42, -21)).epsilon(1e-12));
}

TEST_CASE("Demsar's classifiers differ at 5 %") {
  // His F of 3.69 has no correction for ties, which makes it a little larger.
  const double p = *friedman_test(demsar);
  CHECK(p < 0.0198);
  CHECK(p > 0.01);
}

TEST_CASE("where all blocks agree the probability is counted") {
  CHECK(*friedman_test(Blocks(2, {1, 2})) == doctest::Approx(0.5).epsilon(1e-14));
  CHECK(*friedman_test(Blocks(3, {3, 1, 2})) == doctest::Approx(1.0 / 36).epsilon(1e-13));
  CHECK(*friedman_test(Blocks(3, {3, 1, 1})) == doctest::Approx(1.0 / 9).epsilon(1e-13));
}

TEST_CASE("methods that are the same do not differ") {
  CHECK(*friedman_test(Blocks(5, {0.5, 0.5, 0.5})) == 1);
  CHECK(*friedman_test(Blocks{{1, 2}, {2, 1}}) == doctest::Approx(1));
}

TEST_CASE("what cannot be tested is nothing") {
  CHECK_FALSE(friedman_test({}));
  CHECK_FALSE(friedman_test(Blocks{{1, 2, 3}}));
  CHECK_FALSE(friedman_test(Blocks{{1}, {2}}));
  CHECK_FALSE(friedman_test(Blocks{{1, 2}, {2, std::nan("")}}));
  CHECK(average_ranks({}, false).empty());
}

}  // namespace
}  // namespace semblance::statistics::friedman_test_cases
