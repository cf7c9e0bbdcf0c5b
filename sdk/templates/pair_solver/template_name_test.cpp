#include <doctest/doctest.h>

#include "semblance/pair_solver.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("the threshold lies between near and far pairs") {
  testing::TestContext context;
  const auto solver = testing::make_component<PairSolver>("solver/template_name");
  FloatMatrix values(4, 1);
  values.values = {0, 1, 5, 6};
  const testing::MemoryRows rows(values);
  const PairSet pairs =
      PairSet::listed({{0, 1, 1}, {0, 2, -1}, {0, 3, -1}, {1, 2, -1}, {1, 3, -1}, {2, 3, 1}});
  testing::MemoryReport report;
  solver->bind(Layout::vector(1));
  solver->train({rows, Layout::vector(1), pairs}, report, context);
  CHECK(report.numbers.at("objective") == 0);
  CHECK(report.numbers.at("threshold") == doctest::Approx((1 + 16) / 2.0));

  float scores[6];
  solver->score(rows, pairs, scores, context);
  for (std::size_t i = 0; i < 6; ++i) CHECK((scores[i] > 0) == (pairs.list()[i].label > 0));
}
