// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <limits>

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
};

MemoryReport report_of(const Case& test) {
  MemoryReport report;
  TestContext context;
  const std::size_t cols = 3 * test.names.size();
  make_component<Evaluator>("evaluator/coverage")
      ->evaluate({.outputs = {test.intervals.data(), test.intervals.size() / cols, cols, cols},
                  .type = PortType::intervals,
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

TEST_CASE("coverage of intervals: messages") {
  CHECK_THROWS_WITH(
      report_of({{0, 1, 2}, {unknown}}),
      "no test row has a number to compare intervals with; give the test rows theirs");
  CHECK_THROWS_WITH(report_of({{3, 1, 2}, {1}}),
                    "the interval of test row 0 (counted from 0) has no order: 3.000000 to "
                    "2.000000");
}

}  // namespace covered_intervals_test
