// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibrator_testing.hpp"
#include "semblance/random.hpp"

namespace conformal_intervals_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr const char* id = "calibrator/conformal_intervals";

/// Estimates of one number, whose error grows with the estimate, and the true numbers.
struct Estimates {
  FloatMatrix estimates;
  std::vector<double> targets;
  std::vector<std::string> names = {"y"};
  std::vector<double> weights = {};

  HeldOutEstimates held_out() const { return {estimates.view(), targets, names, weights}; }
};

Estimates drawn(std::size_t rows, std::uint64_t seed, double offset = 0) {
  Random random(seed);
  Estimates made{FloatMatrix(rows, 1), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double estimate = 10 * random.uniform();
    made.estimates.values[i] = static_cast<float>(offset + estimate);
    made.targets.push_back(double{made.estimates.values[i]} + (0.1 + estimate) * random.normal());
  }
  return made;
}

std::unique_ptr<IntervalCalibrator> fitted(const Estimates& data, const Parameters& parameters,
                                           MemoryReport& report) {
  auto calibrator = make_component<IntervalCalibrator>(id, parameters);
  calibrator->bind(Layout::vector(data.names.size()));
  TestContext context;
  calibrator->fit(data.held_out(), report, context);
  return calibrator;
}

FloatMatrix intervals_of(const IntervalCalibrator& calibrator, const Estimates& data) {
  FloatMatrix out(data.estimates.rows, 3 * data.estimates.cols);
  TestContext context;
  calibrator.apply(data.estimates.view(), out.view(), context);
  return out;
}

double covered(const FloatMatrix& intervals, const Estimates& data, double low = -1e300,
               double high = 1e300) {
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < intervals.rows; ++i) {
    const float* const row = intervals.view().row(i);
    if (row[1] < low || row[1] >= high) continue;
    ++all;
    inside += row[0] <= data.targets[i] && data.targets[i] <= row[2];
  }
  return inside / all;
}

}  // namespace

TEST_CASE("conformal intervals: half the width is the k-th smallest absolute error") {
  for (const std::size_t rows :
       {std::size_t{9}, std::size_t{10}, std::size_t{57}, std::size_t{400}})
    for (const double coverage : {0.5, 0.8, 0.9}) {
      CAPTURE(rows);
      CAPTURE(coverage);
      const Estimates data = drawn(rows, rows);
      std::vector<double> errors;
      for (std::size_t i = 0; i < rows; ++i)
        errors.push_back(std::abs(double{data.estimates.values[i]} - data.targets[i]));
      std::ranges::sort(errors);
      const auto k =
          static_cast<std::size_t>(std::ceil(coverage * static_cast<double>(rows + 1) - 1e-9));
      MemoryReport report;
      const auto calibrator = fitted(data, {{"coverage", coverage}}, report);
      const FloatMatrix intervals = intervals_of(*calibrator, data);
      for (std::size_t i = 0; i < rows; ++i) {
        const float* const row = intervals.view().row(i);
        CHECK(row[1] == data.estimates.values[i]);
        REQUIRE(k <= rows);
        CHECK(double{row[0]} == doctest::Approx(double{row[1]} - errors[k - 1]).epsilon(1e-6));
        CHECK(double{row[2]} == doctest::Approx(double{row[1]} + errors[k - 1]).epsilon(1e-6));
      }
      CHECK(covered(intervals, data) >= coverage);
    }
}

TEST_CASE("conformal intervals: new rows are covered as often as asked for, also far from 0") {
  for (const double offset : {0.0, 1e5}) {
    double sum = 0, in_groups = 1;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Estimates data = drawn(400, 100 + seed, offset), test = drawn(400, 900 + seed, offset);
      MemoryReport report;
      sum += covered(intervals_of(*fitted(data, {}, report), test), test);
    }
    // 16,000 rows: 0.9 +- 0.0024, and as much again from the held-out rows.
    CHECK(sum / 40 == doctest::Approx(0.9).epsilon(0.012));
    MemoryReport report;
    const Estimates data = drawn(4000, 5, offset), test = drawn(8000, 6, offset);
    const auto grouped = fitted(data, {{"groups", std::int64_t{8}}}, report);
    const FloatMatrix intervals = intervals_of(*grouped, test);
    for (const double from : {0.0, 2.5, 5.0, 7.5})
      in_groups = std::min(in_groups, covered(intervals, test, offset + from, offset + from + 2.5));
    CHECK(in_groups > 0.87);
    // Without groups, rows with small errors pay for those with large ones.
    MemoryReport common;
    CHECK(covered(intervals_of(*fitted(data, {}, common), test), test, offset + 7.5, offset + 10) <
          0.8);
  }
}

TEST_CASE("conformal intervals: too few rows give infinite intervals, equal estimates one group") {
  MemoryReport report;
  const Estimates few = drawn(8, 3);
  const auto calibrator = fitted(few, {}, report);
  CHECK(report.integers.at("infinite_groups") == 1);
  const FloatMatrix intervals = intervals_of(*calibrator, few);
  CHECK(intervals.values[0] == -std::numeric_limits<float>::infinity());
  CHECK(intervals.values[2] == std::numeric_limits<float>::infinity());
  Estimates equal = drawn(100, 4);
  std::ranges::fill(equal.estimates.values, 3.0F);
  MemoryReport other;
  fitted(equal, {{"groups", std::int64_t{5}}}, other);
  CHECK(other.integers.at("infinite_groups") == 0);
}

TEST_CASE("conformal intervals: estimates that are not finite are refused") {
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Estimates data = drawn(20, 3);
    data.estimates.values[7] = wrong;
    MemoryReport report;
    CHECK_THROWS_WITH(
        fitted(data, {}, report),
        "an estimate of training row 7 (counted from 0) is not a finite number, so no "
        "interval can be learned from it; check the rows that the regressor was given");
  }
}

TEST_CASE("conformal intervals: a weight repeats a row, and 0 omits it") {
  Estimates weighted = drawn(60, 8), repeated{FloatMatrix(0, 1), {}};
  for (std::size_t i = 0; i < 60; ++i) {
    weighted.weights.push_back(static_cast<double>(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.estimates.values.push_back(weighted.estimates.values[i]);
      repeated.targets.push_back(weighted.targets[i]);
    }
  }
  repeated.estimates.rows = repeated.targets.size();
  MemoryReport one, other;
  const auto a = fitted(weighted, {}, one), b = fitted(repeated, {}, other);
  CHECK(intervals_of(*a, weighted).values == intervals_of(*b, weighted).values);
}

TEST_CASE("conformal intervals: a loaded calibrator gives the same bits") {
  Estimates data = drawn(300, 9);
  data.names = {"y", "z"};
  data.estimates.rows = 150, data.estimates.cols = 2;
  MemoryReport report;
  const auto calibrator = fitted(data, {{"groups", std::int64_t{4}}, {"coverage", 0.99}}, report);
  MemoryState state;
  calibrator->save(state);
  auto loaded = make_component<IntervalCalibrator>(id);
  loaded->bind(Layout::vector(2));
  TestContext context;
  loaded->load(state, context);
  CHECK(intervals_of(*loaded, data).values == intervals_of(*calibrator, data).values);
}

}  // namespace conformal_intervals_test
