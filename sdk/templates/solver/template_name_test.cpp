#include <doctest/doctest.h>

#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

using namespace semblance;

TEST_CASE("the nearest mean has the largest score") {
  testing::TestContext context;
  const auto solver = testing::make_component<Solver>("solver/template_name");
  FloatMatrix values(4, 1);
  values.values = {0, 2, 10, 12};  // the means are 1 and 11
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {0, 0, 1, 1};
  const std::string classes[] = {"low", "high"};
  testing::MemoryReport report;
  solver->bind(Layout::vector(1));
  solver->train({rows, Layout::vector(1), labels, classes}, report, context);
  CHECK(solver->bind(Layout::vector(1)) == Layout::vector(2));
  CHECK(report.texts.at("certificate") == "converged");

  const float samples[] = {5, 7};
  float scores[4];
  solver->apply({samples, 2, 1, 1}, {scores, 2, 2, 2}, context);
  CHECK(scores[0] == -16);
  CHECK(scores[1] == -36);
  CHECK(scores[2] < scores[3]);
}
