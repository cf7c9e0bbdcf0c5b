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

constexpr const char* around = "calibrator/conformal_intervals";
constexpr const char* correcting = "calibrator/conformal_quantiles";
constexpr float infinity = std::numeric_limits<float>::infinity();

/// What a regressor gives, and the true numbers.
struct Rows {
  FloatMatrix given;
  std::vector<double> targets;
  std::vector<std::string> names = {"y"};
  std::vector<double> weights = {};
  std::vector<std::int32_t> groups = {};
  std::vector<std::int32_t> categories = {};
  std::vector<std::string> category_names = {};

  HeldOutEstimates held_out() const {
    return {given.view(), targets, names, weights, groups, {categories, category_names}};
  }
};

/// Estimates of one number, whose error grows with the estimate.
Rows estimates(std::size_t rows, std::uint64_t seed, double offset = 0) {
  Random random(seed);
  Rows made{FloatMatrix(rows, 1), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double estimate = 10 * random.uniform();
    made.given.values[i] = static_cast<float>(offset + estimate);
    made.targets.push_back(double{made.given.values[i]} + (0.1 + estimate) * random.normal());
  }
  return made;
}

/// Numbers of the deviation s at rows with differing s, and intervals of `half` s on both sides.
Rows intervals(std::size_t rows, std::uint64_t seed, float half, double offset = 0) {
  Random random(seed);
  Rows made{FloatMatrix(rows, 3), {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double s = 0.1 + 10 * random.uniform();
    made.targets.push_back(offset + s * random.normal());
    for (const int side : {-1, 0, 1})
      made.given.values[3 * i + static_cast<std::size_t>(side + 1)] =
          static_cast<float>(offset + static_cast<double>(side) * s * double{half});
  }
  return made;
}

struct Fitted {
  Fitted(const char* given_id, const Rows& rows, const Parameters& parameters = {})
      : id(given_id),
        columns(rows.given.cols),
        calibrator(make_component<IntervalCalibrator>(id, parameters)) {
    calibrator->bind(Layout::vector(columns));
    calibrator->fit(rows.held_out(), report, context);
  }

  /// By the calibrator before and after saving and loading.
  FloatMatrix of(const Rows& rows) const {
    MemoryState state;
    calibrator->save(state);
    const auto loaded = make_component<IntervalCalibrator>(id);
    loaded->bind(Layout::vector(columns));
    TestContext own;
    loaded->load(state, own);
    FloatMatrix out(rows.given.rows, 3 * rows.names.size()), again(out.rows, out.cols);
    calibrator->apply(rows.given.view(), out.view(), own);
    loaded->apply(rows.given.view(), again.view(), own);
    CHECK(again.values == out.values);
    return out;
  }

  const char* id;
  std::size_t columns;
  std::unique_ptr<IntervalCalibrator> calibrator;
  MemoryReport report;
  TestContext context;
};

double covered(const FloatMatrix& intervals, const Rows& rows, double low = -1e300,
               double high = 1e300) {
  double inside = 0, all = 0;
  for (std::size_t i = 0; i < intervals.rows; ++i) {
    const float* const row = intervals.view().row(i);
    if (row[1] < low || row[1] >= high) continue;
    ++all;
    inside += row[0] <= rows.targets[i] && rows.targets[i] <= row[2];
  }
  return inside / all;
}

/// The intervals that the definition gives: the ends are moved by the k-th smallest error.
void check_definition(const char* id, const Rows& rows, double coverage) {
  const std::size_t n = rows.given.rows, last = rows.given.cols - 1;
  std::vector<double> errors;
  for (std::size_t i = 0; i < n; ++i) {
    const float* const ends = rows.given.view().row(i);
    errors.push_back(std::max(double{ends[0]} - rows.targets[i], rows.targets[i] - ends[last]));
  }
  std::ranges::sort(errors);
  const auto k = static_cast<std::size_t>(std::ceil(coverage * static_cast<double>(n + 1) - 1e-9));
  REQUIRE(k <= n);
  const FloatMatrix given = Fitted(id, rows, {{"coverage", coverage}}).of(rows);
  for (std::size_t i = 0; i < n; ++i) {
    const float *const before = rows.given.view().row(i), *const after = given.view().row(i);
    const double estimate = before[last / 2];
    CHECK(after[1] == before[last / 2]);
    CHECK(double{after[0]} ==
          doctest::Approx(std::min(before[0] - errors[k - 1], estimate)).epsilon(1e-6));
    CHECK(double{after[2]} ==
          doctest::Approx(std::max(before[last] + errors[k - 1], estimate)).epsilon(1e-6));
  }
  CHECK(covered(given, rows) >= coverage);
}

}  // namespace

TEST_CASE("conformal intervals: the ends move by the k-th smallest error") {
  for (const std::size_t n : {std::size_t{9}, std::size_t{10}, std::size_t{57}, std::size_t{400}})
    for (const double coverage : {0.5, 0.8, 0.9}) {
      CAPTURE(n);
      CAPTURE(coverage);
      check_definition(around, estimates(n, n), coverage);
      for (const float half : {0.2F, 1.0F, 5.0F})
        check_definition(correcting, intervals(n, n, half), coverage);
    }
}

TEST_CASE("conformal intervals: new rows are covered as often as asked for, also far from 0") {
  for (const double offset : {0.0, 1e5}) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Rows test = estimates(400, 900 + seed, offset);
      sum += covered(Fitted(around, estimates(400, 100 + seed, offset)).of(test), test);
    }
    // 16,000 rows: 0.9 +- 0.0024, and as much again from the held-out rows.
    CHECK(sum / 40 == doctest::Approx(0.9).epsilon(0.012));
    for (const float half : {0.5F, 1.6F, 4.0F}) {
      sum = 0;
      for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Rows test = intervals(400, 900 + seed, half, offset);
        sum += covered(Fitted(correcting, intervals(400, 100 + seed, half, offset)).of(test), test);
      }
      CHECK(sum / 40 == doctest::Approx(0.9).epsilon(0.012));
    }
  }
}

TEST_CASE("conformal intervals: each group is covered as often as asked for") {
  for (const double offset : {0.0, 1e5}) {
    const Rows data = estimates(4000, 5, offset), test = estimates(8000, 6, offset);
    const Fitted grouped(around, data, {{"groups", std::int64_t{8}}});
    const FloatMatrix given = grouped.of(test);
    for (const double from : {0.0, 2.5, 5.0, 7.5})
      CHECK(covered(given, test, offset + from, offset + from + 2.5) > 0.87);
    // Without groups, rows with small errors pay for those with large ones.
    CHECK(covered(Fitted(around, data).of(test), test, offset + 7.5, offset + 10) < 0.8);
    // The same estimates with the ends of intervals.
    Rows with_ends = data;
    with_ends.given = FloatMatrix(4000, 3);
    for (std::size_t k = 0; k < 12000; ++k) with_ends.given.values[k] = data.given.values[k / 3];
    const Fitted corrected(correcting, with_ends, {{"groups", std::int64_t{8}}});
    CHECK(corrected.report.tables.at("margins").values ==
          grouped.report.tables.at("margins").values);
  }
}

TEST_CASE("conformal intervals: too few rows give infinite intervals, equal estimates one group") {
  const Rows few = estimates(8, 3), few_intervals = intervals(8, 3, 1);
  const Fitted surrounded(around, few), corrected(correcting, few_intervals);
  for (const FloatMatrix& given : {surrounded.of(few), corrected.of(few_intervals)}) {
    CHECK(given.values[0] == -infinity);
    CHECK(given.values[2] == infinity);
  }
  CHECK(surrounded.report.integers.at("infinite_groups") == 1);
  REQUIRE(surrounded.context.lines.size() == 1);
  CHECK(surrounded.context.lines[0] ==
        "infinite intervals in 1 of 1 groups of estimates: 8 held-out rows promise at most 88.9 %, "
        "less than the 90 % asked for; lower 'groups' or 'coverage', or train with more rows");
  Rows equal = estimates(100, 4);
  std::ranges::fill(equal.given.values, 3.0F);
  CHECK(
      Fitted(around, equal, {{"groups", std::int64_t{5}}}).report.integers.at("infinite_groups") ==
      0);
}

TEST_CASE("conformal intervals: what is not finite is refused") {
  const auto refused = [](const char* id, Rows rows, float wrong) {
    rows.given.view().row(7)[rows.given.cols - 1] = wrong;
    CHECK_THROWS_WITH(Fitted(id, rows),
                      "what the regressor gives for training row 7 (counted from 0) is not finite, "
                      "so no interval can be learned from it; check the rows that it was given");
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  refused(around, estimates(20, 3), nan);
  refused(around, estimates(20, 3), infinity);
  refused(correcting, intervals(20, 3, 1), nan);
  Rows rows = intervals(20, 3, 1);
  rows.given.view().row(7)[2] = infinity;
  CHECK_THROWS_WITH(Fitted(correcting, rows),
                    "the regressor's interval of training row 7 (counted from 0) is infinite, so "
                    "that it cannot be corrected; lower the regressor's 'coverage', or give it "
                    "more rows");
}

TEST_CASE("conformal intervals: weights are relative, and one of 0 omits a row") {
  for (const char* id : {around, correcting}) {
    Rows rows = id == around ? estimates(90, 8) : intervals(90, 8, 1);
    for (std::size_t i = 0; i < 90; ++i) rows.weights.push_back(static_cast<double>(i % 3));
    const FloatMatrix given = Fitted(id, rows).of(rows);
    Rows scaled = rows;
    for (double& weight : scaled.weights) weight *= 0.005;
    CHECK(Fitted(id, scaled).of(rows).values == given.values);
    for (std::size_t i = 0; i < 90; i += 3) scaled.targets[i] = 1e9;
    CHECK(Fitted(id, scaled).of(rows).values == given.values);
  }
}

TEST_CASE("conformal intervals: ten groups of rows promise 10/11") {
  for (const char* id : {around, correcting}) {
    Rows rows = id == around ? estimates(200, 8) : intervals(200, 8, 1);
    for (std::size_t i = 0; i < 200; ++i) rows.groups.push_back(static_cast<std::int32_t>(i / 20));
    const Fitted fitted(id, rows, {{"coverage", 0.95}});
    CHECK(fitted.report.numbers.at("promised_coverage") == doctest::Approx(10.0 / 11));
    CHECK(fitted.report.numbers.at("held_out_coverage") == 1);
    CHECK(fitted.report.integers.at("infinite_groups") == 0);
    REQUIRE(fitted.context.lines.size() == 1);
    CHECK(fitted.context.lines[0].starts_with("10 groups of held-out rows promise at most 90.9 %"));
  }
}

TEST_CASE("conformal intervals: by column, the rows of each value are covered as often as asked") {
  constexpr int tries = 100;
  constexpr std::size_t learned = 99, given = 100;
  for (const char* id : {around, correcting}) {
    const bool estimated = id == around;
    const auto made = [&](std::size_t rows, std::uint64_t seed, double factor) {
      Rows all = estimated ? estimates(rows, seed) : intervals(rows, seed, 1);
      for (std::size_t i = 0; i < rows; ++i) {
        const double estimate = estimated ? double{all.given.values[i]} : 0;
        all.targets[i] = estimate + factor * (all.targets[i] - estimate);
      }
      return all;
    };
    double apart[2] = {0, 0}, together[2] = {0, 0};
    for (std::uint64_t seed = 0; seed < tries; ++seed) {
      Rows rows = made(learned, 100 + seed, 1);
      const Rows worse = made(learned, 50100 + seed, 3);
      rows.given.values.insert(rows.given.values.end(), worse.given.values.begin(),
                               worse.given.values.end());
      rows.given.rows *= 2;
      rows.targets.insert(rows.targets.end(), worse.targets.begin(), worse.targets.end());
      const Fitted common(id, rows);
      rows.categories.assign(learned, 0);
      rows.categories.resize(2 * learned, 1);
      rows.category_names = {"site=a", "site=b"};
      const Fitted fitted(id, rows, {{"by_column", std::string("site")}});
      CHECK(fitted.report.tables.at("margins").rows ==
            std::vector<std::string>{"site=a 1", "site=b 1"});
      for (std::int32_t category = 0; category < 2; ++category) {
        const Rows test =
            made(given, 900 + seed + (category == 0 ? 0 : 70000), category == 0 ? 1 : 3);
        FloatMatrix out(given, 3);
        TestContext context;
        fitted.calibrator->apply_within(category, test.given.view(), out.view(), context);
        apart[category] += covered(out, test) / tries;
        common.calibrator->apply(test.given.view(), out.view(), context);
        together[category] += covered(out, test) / tries;
        fitted.calibrator->apply_within(-1, test.given.view(), out.view(), context);
        CHECK(std::isinf(out.values[0]));
        CHECK(std::isinf(out.values[2]));
      }
    }
    const double deviation = std::sqrt(0.09 * (1.0 / (learned + 2) + 1.0 / given) / tries);
    for (const double coverage : apart) CHECK(std::abs(coverage - 0.9) < 2 * deviation);
    CHECK(together[1] < 0.85);
  }
}

TEST_CASE("conformal intervals: by column, a value with too few rows is named") {
  Rows rows = estimates(100, 8);
  rows.categories.assign(100, 0);
  std::fill_n(rows.categories.begin(), 8, 1);
  rows.category_names = {"site=a", "site=b"};
  const Fitted fitted(around, rows, {{"by_column", std::string("site")}});
  REQUIRE(fitted.context.lines.size() == 1);
  CHECK(fitted.context.lines[0] ==
        "infinite intervals in 1 of 2 groups of estimates: site=b: 8 held-out rows promise at most "
        "88.9 %, less than the 90 % asked for; lower 'groups' or 'coverage', or train with more "
        "rows");
  MemoryState state;
  fitted.calibrator->save(state);
  const auto loaded =
      make_component<IntervalCalibrator>(around, {{"by_column", std::string("site")}});
  loaded->bind(Layout::vector(1));
  TestContext context;
  loaded->load(state, context);
  FloatMatrix own(100, 3), again(100, 3);
  for (const std::int32_t category : {-1, 0, 1}) {
    fitted.calibrator->apply_within(category, rows.given.view(), own.view(), context);
    loaded->apply_within(category, rows.given.view(), again.view(), context);
    CHECK(own.values == again.values);
    CHECK(std::isinf(own.values[0]) == (category != 0));
  }
}

TEST_CASE("conformal intervals: two numbers have margins of their own") {
  for (const char* id : {around, correcting}) {
    Rows rows = id == around ? estimates(300, 9) : intervals(300, 9, 1);
    rows.names = {"y", "z"};
    rows.given.rows = 150, rows.given.cols *= 2;
    for (std::size_t i = 0; i < 150; ++i) rows.targets[2 * i + 1] *= 20;
    const Fitted fitted(id, rows);
    const Table& margins = fitted.report.tables.at("margins");
    CHECK(margins.rows == std::vector<std::string>{"y 1", "z 1"});
    CHECK(margins.values[3] > 5 * margins.values[1]);
    fitted.of(rows);
    Fitted(id, rows, {{"groups", std::int64_t{4}}, {"coverage", 0.99}}).of(rows);
  }
}

}  // namespace conformal_intervals_test
