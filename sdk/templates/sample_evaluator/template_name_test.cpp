#include <doctest/doctest.h>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("classes that are further apart are better separated") {
  testing::TestContext context;
  const auto evaluator = testing::make_component<SampleEvaluator>("evaluator/template_name");
  FloatMatrix values(4, 1);
  values.values = {-1, 1, 9, 11};  // the means 0 and 10, the scatter within each class 2
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {0, 0, 1, 1};
  const std::string classes[] = {"a", "b"};
  testing::MemoryReport report;
  evaluator->evaluate({rows, Layout::vector(1), labels, classes}, report, context);
  CHECK(report.numbers.at("separation") == doctest::Approx(4 * 25 / 4.0));
}
