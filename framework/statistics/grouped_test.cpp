// SPDX-License-Identifier: MIT
// Tests and intervals of samples that depend on each other within groups.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "statistics/paired_tests.hpp"
#include "statistics/summary.hpp"

namespace semblance::statistics::grouped_test {
namespace {

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// The share of all signs of the sums whose total is as far from 0.
double by_all_signs(const std::vector<double>& sums) {
  double as_far = 0;
  for (unsigned signs = 0; signs < 1U << sums.size(); ++signs) {
    double total = 0;
    for (std::size_t g = 0; g < sums.size(); ++g)
      total += (signs >> g & 1U) != 0 ? sums[g] : -sums[g];
    as_far += std::abs(total) >= std::abs(sum_of(sums)) ? 1 : 0;
  }
  return std::ldexp(as_far, -static_cast<int>(sums.size()));
}

TEST_CASE("the sign-flip test counts signs of groups") {
  std::mt19937 bits(1);
  for (std::size_t groups = 1; groups <= 12; ++groups)
    for (int repetition = 0; repetition < 20; ++repetition) {
      std::vector<double> sums;
      for (std::size_t g = 0; g < groups; ++g) sums.push_back(static_cast<int>(bits() % 12) - 4);
      CAPTURE(doctest::toString(sums.size()));
      CHECK(sign_flip_test(sums) == doctest::Approx(by_all_signs(sums)).epsilon(1e-13));
    }
  CHECK(sign_flip_test(std::vector<double>{7}) == 1);
  CHECK(sign_flip_test(std::vector<double>{0, 0}) == 1);
}

TEST_CASE("where each row is a group it is McNemar's test, and of a billion steps nearly so") {
  std::vector<double> ones(30, 1);
  std::fill(ones.begin(), ones.begin() + 9, -1);
  ones.insert(ones.end(), 50, 0);
  CHECK(sign_flip_test(ones) == mcnemar_test(21, 9));
  std::vector<double> twos(70000, 2);
  std::fill(twos.begin(), twos.begin() + 34700, -2);
  CHECK(sign_flip_test(twos) == doctest::Approx(mcnemar_test(35300, 34700)).epsilon(0.01));
}

TEST_CASE("sums of groups are in their order, and unknown groups are single rows") {
  const std::vector<double> values = {1, 2, 4, 8, 16};
  CHECK(group_sums(values, std::vector<std::int32_t>{7, -1, 3, 7, -1}) ==
        std::vector<double>{9, 2, 4, 16});
  CHECK(group_sums(values, {}) == values);
  CHECK(group_values(values, {}) == values);
}

TEST_CASE("the error of values of groups is the sandwich over all pairs within a group") {
  std::mt19937 bits(2);
  std::vector<double> values;
  std::vector<std::int32_t> groups;
  for (int i = 0; i < 200; ++i) {
    groups.push_back(static_cast<std::int32_t>(bits() % 15 * (bits() % 2)));
    values.push_back(groups.back() % 4 + static_cast<double>(bits() % 100) / 50);
  }
  const double mean = sum_of(values) / 200;
  double together = 0;
  for (std::size_t i = 0; i < 200; ++i)
    for (std::size_t j = 0; j < 200; ++j)
      if (groups[i] == groups[j]) together += (values[i] - mean) * (values[j] - mean);
  const Summary found = summary(group_values(values, groups));
  const double count = 15;
  REQUIRE(found.count == 15);
  CHECK(found.mean == doctest::Approx(mean));
  CHECK(found.standard_error ==
        doctest::Approx(std::sqrt(count / (count - 1) * together) / 200).epsilon(1e-12));
}

/// Rows of groups of 1 to 20; both methods are equally good, and each errs on whole groups more
/// than on others.
struct Drawn {
  std::vector<std::int32_t> groups;
  std::vector<double> first, second;  ///< 1: right
};

Drawn drawn(std::mt19937_64& bits, int groups) {
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  Drawn rows;
  for (int g = 0; g < groups; ++g) {
    const double one = std::sqrt(uniform()), other = std::sqrt(uniform());
    for (std::size_t size = 1 + bits() % 20; size > 0; --size) {
      rows.groups.push_back(g);
      rows.first.push_back(uniform() < one ? 1 : 0);
      rows.second.push_back(uniform() < other ? 1 : 0);
    }
  }
  return rows;
}

TEST_CASE("tests over groups keep 5 %, where those over rows find differences that are none") {
  constexpr int repetitions = 2000;
  std::mt19937_64 bits(3);
  int by_rows = 0, by_signs = 0, by_values = 0;
  for (int i = 0; i < repetitions; ++i) {
    const Drawn rows = drawn(bits, 25);
    std::vector<double> differences;
    for (std::size_t r = 0; r < rows.first.size(); ++r)
      differences.push_back(rows.first[r] - rows.second[r]);
    by_rows += sign_flip_test(differences) <= 0.05 ? 1 : 0;
    by_signs += sign_flip_test(group_sums(differences, rows.groups)) <= 0.05 ? 1 : 0;
    by_values += *paired_t_test(group_values(differences, rows.groups)) <= 0.05 ? 1 : 0;
  }
  CHECK(by_rows > repetitions / 4);
  // 5 % and four standard deviations of a share; errors by groups are a little too small.
  CHECK(by_signs < 0.07 * repetitions);
  CHECK(by_signs > 0.03 * repetitions);
  CHECK(by_values < 0.08 * repetitions);
}

TEST_CASE("Wilson's interval of groups contains the share, where that of rows does not") {
  constexpr int repetitions = 2000;
  for (const int groups : {5, 12, 40}) {
    CAPTURE(groups);
    std::mt19937_64 bits(4);
    int by_rows = 0, by_groups = 0;
    for (int i = 0; i < repetitions; ++i) {
      const Drawn rows = drawn(bits, groups);
      const auto right = static_cast<std::size_t>(sum_of(rows.first));
      const double error = summary(group_values(rows.first, rows.groups)).standard_error;
      const auto contains = [](const Interval& interval) {
        return interval.low <= 2.0 / 3 && 2.0 / 3 <= interval.high ? 1 : 0;
      };
      by_rows += contains(wilson_interval(right, rows.first.size()));
      by_groups += contains(
          wilson_interval(right, rows.first.size(), static_cast<std::size_t>(groups), error));
    }
    CHECK(by_rows < 0.8 * repetitions);
    CHECK(by_groups > 0.92 * repetitions);
  }
}

TEST_CASE("without errors there is one trial per group, and never more than there are rows") {
  const double t = 2.7764451051977987;  // Student's quantile of 97.5 % with 4 degrees of freedom
  const Interval all = wilson_interval(50, 50, 5);
  CHECK(all.low == doctest::Approx(5 / (5 + t * t)));
  CHECK(all.high == 1);
  const Interval few = wilson_interval(25, 50, 5, 1e-6);
  CHECK(few.high - few.low == doctest::Approx(t / std::sqrt(50 + t * t)));
}

}  // namespace
}  // namespace semblance::statistics::grouped_test
