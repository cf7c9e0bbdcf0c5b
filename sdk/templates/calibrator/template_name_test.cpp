#include <doctest/doctest.h>

#include "semblance/calibrator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("a prediction is as probable as held-out rows are right") {
  testing::TestContext context;
  const auto calibrator = testing::make_component<Calibrator>("calibrator/template_name");
  // Three of four are right.
  const float scores[] = {1, 0, 1, 0, 0, 1, 0, 1};
  const std::int32_t labels[] = {0, 0, 1, 0};
  const std::string classes[] = {"no", "yes"};
  testing::MemoryReport report;
  calibrator->bind(Layout::vector(2));
  calibrator->fit({{scores, 4, 2, 2}, labels, classes}, report, context);
  CHECK(report.numbers.at("right") == 0.75);
  float given[2];
  calibrator->apply({scores, 1, 2, 2}, {given, 1, 2, 2}, context);
  CHECK(given[0] == 0.75F);
  CHECK(given[1] == 0.25F);
}
