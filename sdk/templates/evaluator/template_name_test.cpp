#include <doctest/doctest.h>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("each class counts the same") {
  testing::TestContext context;
  const auto evaluator = testing::make_component<Evaluator>("evaluator/template_name");
  // Three of class 0, of which two are right; one of class 1, which is wrong.
  const float scores[] = {1, 0, 1, 0, 0, 1, 1, 0};
  const std::int32_t labels[] = {0, 0, 0, 1};
  const std::string classes[] = {"many", "few"};
  testing::MemoryReport report;
  evaluator->evaluate({{scores, 4, 2, 2}, labels, classes}, report, context);
  CHECK(report.numbers.at("balanced_accuracy") == doctest::Approx(1.0 / 3));
  const auto& bars = std::get<Bars>(report.drawings.at("recalls"));
  CHECK(bars.labels == std::vector<std::string>{"many", "few"});
  CHECK(bars.values[0] == doctest::Approx(2.0 / 3));
}
