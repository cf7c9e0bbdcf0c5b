// SPDX-License-Identifier: MIT
#include "coverage_threshold.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/random.hpp"

namespace coverage_threshold_test {

using namespace semblance;
using namespace semblance::calibrators;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The p-value of another value among n: the share of the n + 1 that are at least as large, itself
/// included.
double p_value(const std::vector<double>& values, double value) {
  const auto larger = std::ranges::count_if(values, [&](double v) { return v >= value; });
  return static_cast<double>(larger + 1) / static_cast<double>(values.size() + 1);
}

/// The share of new values that are at most the threshold, over many draws.
struct Simulated {
  double share = 0, standard_error = 0;
};

template <class Draw>
Simulated simulate(double coverage, const Draw& draw) {
  constexpr int rounds = 4000;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    Random random(static_cast<std::uint64_t>(round) + 1);
    auto [values, next] = draw(random);
    sum += next <= coverage_threshold(std::move(values), coverage).value;
  }
  const double share = sum / rounds;
  return {share, std::sqrt(share * (1 - share) / rounds)};
}

/// Values of `groups` groups of up to `most` samples, and one of another group. The values of a
/// group are close to each other.
std::pair<std::vector<HeldOutValue>, double> grouped(Random& random, std::int32_t groups,
                                                     std::size_t most) {
  std::vector<HeldOutValue> values;
  for (std::int32_t g = 0; g < groups; ++g) {
    const double middle = random.normal();
    const auto samples = 1 + random.below(most);
    for (std::size_t i = 0; i < samples; ++i)
      values.push_back({middle + 0.1 * random.normal(), 1, g});
  }
  return {values, random.normal() + 0.1 * random.normal()};
}

}  // namespace

TEST_CASE("the threshold is the k-th smallest of n, k = ceil(coverage (n + 1))") {
  for (std::size_t n = 1; n < 120; ++n) {
    std::vector<HeldOutValue> values;
    // 7919 is prime, so all values from 0 to n - 1 occur.
    for (std::size_t i = 0; i < n; ++i) values.push_back({static_cast<double>(i * 7919 % n)});
    for (std::size_t per_cent = 1; per_cent < 100; ++per_cent) {
      const std::size_t k = (per_cent * (n + 1) + 99) / 100;
      const double expected = k > n ? infinity : static_cast<double>(k - 1);
      CHECK(coverage_threshold(values, static_cast<double>(per_cent) / 100).value == expected);
    }
  }
  CHECK(coverage_threshold({}, 0.5).value == infinity);
}

TEST_CASE("a class is within the threshold if its p-value is above 1 - coverage") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<HeldOutValue> values;
    std::vector<double> plain;
    for (std::size_t i = 0; i < 1 + random.below(30); ++i) {
      plain.push_back(static_cast<double>(random.below(8)));
      values.push_back({plain.back()});
    }
    for (const double coverage : {0.5, 0.75, 0.875, 0.9375}) {
      const double threshold = coverage_threshold(values, coverage).value;
      for (double value = -1; value <= 8; value += 0.5)
        CHECK((value <= threshold) == (p_value(plain, value) > 1 - coverage));
    }
  }
}

TEST_CASE("weights are relative, and their effective number counts") {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<HeldOutValue> values, scaled;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const double weight = 0.01 + random.uniform();
      values.push_back({static_cast<double>(random.below(30)), weight});
      sum += weight, squares += weight * weight;
    }
    const CoverageThreshold found = coverage_threshold(values, 0.9);
    CHECK(found.evidence.number == doctest::Approx(sum * sum / squares));
    for (const double factor : {1e-300, 0.005, 1000.0, 1e300}) {
      scaled = values;
      for (HeldOutValue& one : scaled) one.weight *= factor;
      CHECK(coverage_threshold(scaled, 0.9).value == found.value);
    }
    // By the definition: less than coverage (1 + n) / n of all weight is below the threshold.
    const double n = sum * sum / squares, level = 0.9 * (1 + n) / n * sum;
    double below = 0, up_to = 0;
    for (const HeldOutValue& one : values) {
      below += one.value < found.value ? one.weight : 0;
      up_to += one.value <= found.value ? one.weight : 0;
    }
    CHECK(below < level * (1 + 1e-9));
    CHECK(up_to >= level * (1 - 1e-9));
  }
  // Equal weights of any size are those of rows.
  std::vector<HeldOutValue> equal;
  for (std::size_t i = 0; i < 9; ++i) equal.push_back({static_cast<double>(i), 0.005});
  CHECK(coverage_threshold(equal, 0.9).value == 8);
  CHECK(coverage_threshold(equal, 0.5).value == 4);
  // A large weight beside small ones is one row.
  equal.push_back({100, 1e9});
  const CoverageThreshold one = coverage_threshold(equal, 0.9);
  CHECK(one.value == infinity);
  CHECK(one.promised == 0.9);
  CHECK(one.shortage(0.9) ==
        "held-out rows that count as 1.0 by their weights promise at most 50.0 %, less than the 90 "
        "% asked for");
}

TEST_CASE("too few rows promise less than what is asked for") {
  const std::vector<HeldOutValue> eight(8, {1, 1});
  const CoverageThreshold found = coverage_threshold(eight, 0.9);
  CHECK(found.value == infinity);
  CHECK(found.shortage(0.9) ==
        "8 held-out rows promise at most 88.9 %, less than the 90 % asked for");
  CHECK(coverage_threshold(eight, 8.0 / 9).value == 1);
  CHECK(coverage_threshold({}, 0.9).shortage(0.9) == "there are no held-out rows");
}

TEST_CASE("ten groups promise 10/11 for a new group, however many rows they have") {
  Random random(7);
  const auto [values, next] = grouped(random, 10, 50);
  const CoverageThreshold found = coverage_threshold(values, 0.95);
  CHECK(found.value == std::ranges::max(values, {}, &HeldOutValue::value).value);
  CHECK(found.promised == doctest::Approx(10.0 / 11));
  CHECK(found.shortage(0.95) ==
        "10 groups of held-out rows promise at most 90.9 % for rows of a new group, less than the "
        "95 % asked for");
  CHECK(coverage_threshold(values, 0.9).shortage(0.9).empty());
  CHECK(coverage_threshold(values, 0.9).promised == 0.9);
}

TEST_CASE("what is promised is covered, over many draws") {
  // Groups of one size: rows counted by themselves would promise too much.
  for (const double coverage : {0.5, 0.8, 0.95}) {
    CAPTURE(coverage);
    const auto groups = simulate(coverage, [](Random& r) { return grouped(r, 15, 12); });
    const double promised = std::min(coverage, 15.0 / 16);
    CHECK(groups.share >= promised - 2 * groups.standard_error);
    // A group of size 1 / 12 of 12: a little more, as the level falls within a group.
    CHECK(groups.share <= promised + 1.0 / 16 + 2 * groups.standard_error);
    const auto rows = simulate(coverage, [](Random& r) {
      auto [values, next] = grouped(r, 15, 12);
      for (HeldOutValue& one : values) one.group = -1;
      return std::pair(values, next);
    });
    if (coverage == 0.95) CHECK(rows.share < 0.93);
    const auto plain = simulate(coverage, [](Random& r) {
      std::vector<HeldOutValue> values;
      values.reserve(39);
      for (int i = 0; i < 39; ++i) values.push_back({std::floor(4 * r.normal()), 0.005});
      return std::pair(values, std::floor(4 * r.normal()));
    });
    CHECK(plain.share >= coverage - 2 * plain.standard_error);
  }
}

TEST_CASE("what is promised is covered with weights of any spread, and with few samples") {
  for (const double coverage : {0.5, 0.8, 0.9}) {
    CAPTURE(coverage);
    for (const double spread : {0.3, 1.0, 2.0}) {
      const auto weighted = simulate(coverage, [&](Random& r) {
        std::vector<HeldOutValue> values;
        values.reserve(60);
        for (int i = 0; i < 60; ++i)
          values.push_back({r.normal(), 0.005 * std::exp(spread * r.normal())});
        return std::pair(values, r.normal());
      });
      CHECK(weighted.share >= coverage - 2 * weighted.standard_error);
    }
    // ceil(coverage (n + 1)) / (n + 1) exactly, as for a class of n samples: one of nine cases is
    // more than 2 standard errors off by chance.
    for (const std::size_t n : {std::size_t{9}, std::size_t{12}, std::size_t{19}}) {
      const auto few = simulate(coverage, [&](Random& r) {
        std::vector<HeldOutValue> values;
        for (std::size_t i = 0; i < n; ++i) values.push_back({r.normal()});
        return std::pair(values, r.normal());
      });
      const auto all = static_cast<double>(n + 1);
      CHECK(std::abs(few.share - std::ceil(coverage * all - 1e-9) / all) <= 3 * few.standard_error);
    }
  }
}

}  // namespace coverage_threshold_test
