#include <doctest/doctest.h>

#include "semblance/evaluator.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("the area counts how often a positive pair scores higher") {
  testing::TestContext context;
  const auto evaluator = testing::make_component<PairEvaluator>("evaluator/template_name");
  const PairSet pairs = PairSet::listed({{0, 1, 1}, {0, 2, -1}, {1, 2, -1}, {3, 4, 1}});
  const float scores[] = {0.9f, 0.5f, 0.1f, 0.5f};  // 3 wins and one tie of 4
  const std::int32_t labels[] = {1, -1, -1, 1};
  const ScoredPairs tests[] = {{"svm", scores, pairs, labels}};
  testing::MemoryReport report;
  evaluator->evaluate(tests, report, context);
  CHECK(report.numbers.at("area_svm") == doctest::Approx(3.5 / 4));
}
