// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/testing.hpp"

namespace covered_intervals_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Case {
  std::vector<float> intervals;
  std::vector<double> targets;
  std::vector<std::string> names = {"y"};
  std::optional<double> normal_quantile = {};
};

MemoryReport report_of(const Case& test) {
  MemoryReport report;
  TestContext context;
  const std::size_t cols = 3 * test.names.size();
  make_component<Evaluator>("evaluator/coverage")
      ->evaluate({.outputs = {test.intervals.data(), test.intervals.size() / cols, cols, cols},
                  .type = PortType::intervals,
                  .normal_quantile = test.normal_quantile,
                  .targets = test.targets,
                  .target_names = test.names},
                 report, context);
  return report;
}

}  // namespace

TEST_CASE("coverage of intervals: ends belong to an interval, infinite ones have no width") {
  const MemoryReport report =
      report_of({{1, 2, 3, 1, 2, 3, -infinite, 5, infinite, 0, 4, 8}, {1, 3.5, 1e9, unknown}});
  CHECK(report.numbers.at("coverage") == doctest::Approx(2.0 / 3));
  CHECK(report.numbers.at("mean_width") == 2);
  CHECK(report.numbers.at("infinite_share") == doctest::Approx(1.0 / 3));
  CHECK(report.integers.at("rows") == 3);
}

TEST_CASE("coverage of intervals: several numbers are judged each, and their mean is reported") {
  const MemoryReport report =
      report_of({{0, 1, 2, 10, 15, 20, 0, 1, 2, 10, 15, 20}, {1, 15, 3, 12}, {"a", "b"}});
  CHECK(report.numbers.at("coverage") == 0.75);
  CHECK(report.numbers.at("mean_width") == 6);
}

// scipy 1.10.1: -norm.logpdf([1, 3.5], [2, 2], [0.5, 1]).mean(), and so for the other number
TEST_CASE("coverage of intervals: normal distributions have a density") {
  const Case two{{1, 2, 3, 5, 6, 9, 0, 2, 4, 5, 7, 9}, {1, 8, 3.5, unknown}, {"a", "b"}, 2};
  const double of_a = ((0.5 * std::log(2 * M_PI) + std::log(0.5) + 2) +
                       (0.5 * std::log(2 * M_PI) + 0.5 * 1.5 * 1.5)) /
                      2,
               of_b = 0.5 * std::log(2 * M_PI) + 0.5 * 4;
  const MemoryReport report = report_of(two);
  CHECK(of_a == doctest::Approx(2.1348649429247));
  CHECK(report.numbers.at("nlpd") == doctest::Approx((of_a + of_b) / 2).epsilon(1e-12));
  const Table& intervals = report.tables.at("intervals");
  CHECK(intervals.rows == std::vector<std::string>{"coverage", "nlpd"});
  CHECK(!report_of({two.intervals, two.targets, two.names}).numbers.contains("nlpd"));
  CHECK(!report_of({{1, 1, 1}, {1}, {"y"}, 2}).numbers.contains("nlpd"));
}

TEST_CASE("regression judges the estimates within intervals") {
  MemoryReport report;
  TestContext context;
  const std::vector<float> rows = {0, 1, 9, 0, 5, 9, 1, 2, 3, 5, 7, 9};
  const std::vector<double> targets = {1, 8, 3.5, 7};
  const std::vector<std::string> names = {"a", "b"};
  make_component<Evaluator>("evaluator/regression", {{"bootstrap", std::int64_t{0}}})
      ->evaluate({.outputs = {rows.data(), 2, 6, 6},
                  .type = PortType::intervals,
                  .targets = targets,
                  .target_names = names},
                 report, context);
  CHECK(report.numbers.at("mae") == (1.5 / 2 + 3.0 / 2) / 2);
}

TEST_CASE("coverage of intervals: messages") {
  CHECK_THROWS_WITH(
      report_of({{0, 1, 2}, {unknown}}),
      "no test row has a number to compare intervals with; give the test rows theirs");
  CHECK_THROWS_WITH(report_of({{3, 1, 2}, {1}}),
                    "the interval of test row 0 (counted from 0) has no order: 3.000000 to "
                    "2.000000");
}

}  // namespace covered_intervals_test
