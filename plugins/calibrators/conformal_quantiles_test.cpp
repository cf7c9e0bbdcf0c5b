// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibrator_testing.hpp"
#include "semblance/random.hpp"

namespace conformal_quantiles_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr const char* id = "calibrator/conformal_quantiles";
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Intervals around 0 of a regressor, and the true numbers.
struct Rows {
  FloatMatrix intervals;
  std::vector<double> targets;
  std::vector<std::string> names = {"y"};
  std::vector<double> weights = {};

  HeldOutEstimates held_out() const { return {intervals.view(), targets, names, weights}; }
};

/// Numbers of the deviation s at rows with differing s, and intervals of `half` s on both sides.
Rows drawn(std::size_t rows, std::uint64_t seed, float half, double offset = 0) {
  Random random(seed);
  Rows made{FloatMatrix(rows, 3), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double s = 0.1 + 10 * random.uniform();
    made.targets.push_back(offset + s * random.normal());
    for (const int side : {-1, 0, 1})
      made.intervals.values[3 * i + static_cast<std::size_t>(side + 1)] =
          static_cast<float>(offset + static_cast<double>(side) * s * double{half});
  }
  return made;
}

std::unique_ptr<IntervalCalibrator> fitted(const Rows& data, const Parameters& parameters,
                                           MemoryReport& report) {
  auto calibrator = make_component<IntervalCalibrator>(id, parameters);
  calibrator->bind(Layout::vector(3 * data.names.size()));
  TestContext context;
  calibrator->fit(data.held_out(), report, context);
  return calibrator;
}

FloatMatrix corrected(const IntervalCalibrator& calibrator, const Rows& data) {
  FloatMatrix out(data.intervals.rows, data.intervals.cols);
  TestContext context;
  calibrator.apply(data.intervals.view(), out.view(), context);
  return out;
}

double covered(const FloatMatrix& intervals, const Rows& data) {
  double inside = 0;
  for (std::size_t i = 0; i < intervals.rows; ++i)
    inside += double{intervals.view().row(i)[0]} <= data.targets[i] &&
              data.targets[i] <= double{intervals.view().row(i)[2]};
  return inside / static_cast<double>(intervals.rows);
}

}  // namespace

TEST_CASE("conformal quantiles: the ends move by the k-th smallest error") {
  for (const std::size_t rows : {std::size_t{9}, std::size_t{57}, std::size_t{400}})
    for (const double coverage : {0.5, 0.8, 0.9})
      for (const float half : {0.2F, 1.0F, 5.0F}) {
        CAPTURE(rows);
        CAPTURE(coverage);
        CAPTURE(half);
        const Rows data = drawn(rows, rows, half);
        std::vector<double> errors;
        for (std::size_t i = 0; i < rows; ++i) {
          const float* const ends = data.intervals.view().row(i);
          errors.push_back(
              std::max(double{ends[0]} - data.targets[i], data.targets[i] - double{ends[2]}));
        }
        std::ranges::sort(errors);
        const auto k =
            static_cast<std::size_t>(std::ceil(coverage * static_cast<double>(rows + 1) - 1e-9));
        MemoryReport report;
        const auto calibrator = fitted(data, {{"coverage", coverage}}, report);
        const FloatMatrix intervals = corrected(*calibrator, data);
        for (std::size_t i = 0; i < rows; ++i) {
          const float *const before = data.intervals.view().row(i), *const after =
                                                                        intervals.view().row(i);
          CHECK(after[1] == before[1]);
          const double low = std::min(double{before[0]} - errors[k - 1], double{before[1]});
          const double high = std::max(double{before[2]} + errors[k - 1], double{before[1]});
          CHECK(double{after[0]} == doctest::Approx(low).epsilon(1e-6));
          CHECK(double{after[2]} == doctest::Approx(high).epsilon(1e-6));
        }
        CHECK(covered(intervals, data) >= coverage);
      }
}

TEST_CASE("conformal quantiles: new rows are covered as often as asked, also far from 0") {
  for (const double offset : {0.0, 1e5})
    for (const float half : {0.5F, 1.6F, 4.0F}) {
      double sum = 0;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        MemoryReport report;
        const auto calibrator = fitted(drawn(400, 100 + seed, half, offset), {}, report);
        const Rows test = drawn(400, 900 + seed, half, offset);
        sum += covered(corrected(*calibrator, test), test);
      }
      CHECK(sum / 40 == doctest::Approx(0.9).epsilon(0.012));
    }
}

TEST_CASE("conformal quantiles: too few rows give infinite intervals, also once loaded") {
  const Rows few = drawn(8, 3, 1);
  MemoryReport report;
  const auto calibrator = fitted(few, {}, report);
  const FloatMatrix intervals = corrected(*calibrator, few);
  CHECK(intervals.values[0] == -infinity);
  CHECK(intervals.values[2] == infinity);
  MemoryState state;
  calibrator->save(state);
  const auto loaded = make_component<IntervalCalibrator>(id);
  loaded->bind(Layout::vector(3));
  TestContext context;
  loaded->load(state, context);
  CHECK(corrected(*loaded, few).values == intervals.values);
}

TEST_CASE("conformal quantiles: two numbers have margins of their own, and survive loading") {
  Rows data = drawn(300, 9, 1);
  data.names = {"y", "z"};
  data.intervals.rows = 150, data.intervals.cols = 6;
  for (std::size_t i = 0; i < 150; ++i) data.targets[2 * i + 1] *= 20;
  MemoryReport report;
  const auto calibrator = fitted(data, {}, report);
  const Table& margins = report.tables.at("margins");
  CHECK(margins.values[1] > 5 * margins.values[0]);
  MemoryState state;
  calibrator->save(state);
  const auto loaded = make_component<IntervalCalibrator>(id);
  loaded->bind(Layout::vector(6));
  TestContext context;
  loaded->load(state, context);
  CHECK(corrected(*loaded, data).values == corrected(*calibrator, data).values);
}

TEST_CASE("conformal quantiles: a weight repeats a row, and infinite ends are refused") {
  Rows weighted = drawn(60, 8, 1), repeated{FloatMatrix(0, 3), {}};
  for (std::size_t i = 0; i < 60; ++i) {
    weighted.weights.push_back(static_cast<double>(i % 3));
    const float* const row = weighted.intervals.view().row(i);
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.intervals.values.insert(repeated.intervals.values.end(), row, row + 3);
      repeated.targets.push_back(weighted.targets[i]);
    }
  }
  repeated.intervals.rows = repeated.targets.size();
  MemoryReport one, other;
  const auto a = fitted(weighted, {}, one), b = fitted(repeated, {}, other);
  CHECK(corrected(*a, weighted).values == corrected(*b, weighted).values);
  Rows wrong = drawn(20, 3, 1);
  wrong.intervals.values[7 * 3 + 2] = infinity;
  CHECK_THROWS_WITH(
      fitted(wrong, {}, one),
      "an interval of training row 7 (counted from 0) has an end that is not a finite "
      "number, so no margin can be learned from it; check the rows that the "
      "regressor was given");
}

}  // namespace conformal_quantiles_test
