#include <doctest/doctest.h>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("novel samples that are found and false alarms are counted apart") {
  testing::TestContext context;
  const auto evaluator =
      testing::make_component<Evaluator>("evaluator/template_name", {{"normal", std::string("b")}});
  const float scores[] = {-1, 2, -3, 0, 5};
  const std::int32_t labels[] = {0, 0, 1, 1, -1};  // the last one's class is not known
  const std::string classes[] = {"a", "b"};
  testing::MemoryReport report;
  evaluator->check_scores({"mine", "solver/mine", classes});
  evaluator->evaluate({{scores, 5, 1, 1}, labels, classes}, report, context);
  CHECK(report.numbers.at("found") == 0.5);
  CHECK(report.numbers.at("false_alarms") == 0.5);
}

TEST_CASE("a class that the data do not have is refused") {
  const auto evaluator =
      testing::make_component<Evaluator>("evaluator/template_name", {{"normal", std::string("c")}});
  const std::string classes[] = {"a", "b"};
  CHECK_THROWS_WITH_AS(evaluator->check_scores({"mine", "solver/mine", classes}),
                       "there is no class 'c'; 'normal' takes one of the data's classes", Error);
}
