// SPDX-License-Identifier: MIT
#include "report/page/similarity_chart.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "report/page/html_report.hpp"
#include "report/page/html_testing.hpp"

namespace semblance::similarity_chart_test {
namespace {

using testing::contains;
using testing::nesting_fault;

TEST_CASE("similarities are a heat map instead of a table") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  RunRecord run;
  run.nodes.resize(1);
  run.nodes[0].name = "picture";
  Table table{"similarities", "basis", "basis", {"<a>", "b"}, {"<a>", "b"}, {1, 0.123456, nan, 0}};
  run.nodes[0].tables = {table};
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, R"(data-chart="matrix")"));
  CHECK(contains(page, R"("values":[[1.0,0.1235],[null,0.0]])"));
  CHECK_FALSE(contains(page, R"(<table class="numbers)"));
  table.columns[1] = "c";
  run.nodes[0].tables = {table};
  CHECK(contains(html_report(run), R"(<table class="numbers)"));
}

TEST_CASE("places in the plane are points in the colours of their classes") {
  RunRecord run;
  run.nodes.resize(1);
  run.nodes[0].tables = {{"classical_scaling",
                          "class",
                          "",
                          {"a", "b", "a"},
                          {"first axis", "second axis"},
                          {-1, 0, 1, 0, 0, 0.5}}};
  const std::string page = html_report(run);
  CHECK(nesting_fault(page) == "");
  CHECK(contains(page, R"(data-chart="plane")"));
  CHECK(contains(page, R"("groups":["a","b"],"range":[-1.1,1.1,-0.1,0.6])"));
  CHECK(contains(page, R"("points":[[-1.0,0.0,0,0],[1.0,0.0,1,0],[0.0,0.5,0,0]])"));
  // All at one place still have a plane around them.
  run.nodes[0].tables[0].values.assign(6, 2);
  CHECK(contains(html_report(run), R"("range":[1.0,3.0,1.0,3.0])"));
}

}  // namespace
}  // namespace semblance::similarity_chart_test
