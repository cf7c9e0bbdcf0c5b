#include <doctest/doctest.h>

#include <limits>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("estimates within the tolerance are counted, unknown numbers are not") {
  testing::TestContext context;
  const auto evaluator =
      testing::make_component<Evaluator>("evaluator/template_name", {{"tolerance", 0.5}});
  const float estimates[] = {1, 2, 3, 4};
  const double targets[] = {1.5, 2.75, 3, std::numeric_limits<double>::quiet_NaN()};
  const std::string names[] = {"height"};
  testing::MemoryReport report;
  evaluator->evaluate_estimates({{estimates, 4, 1, 1}, targets, names}, report, context);
  CHECK(report.numbers.at("within") == doctest::Approx(2.0 / 3));
}
