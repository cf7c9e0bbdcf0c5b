#include <doctest/doctest.h>

#include "semblance/novelty_detector.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("samples farther from the mean than most training samples are novel") {
  testing::TestContext context;
  const auto solver =
      testing::make_component<NoveltyDetector>("solver/template_name", {{"novel", 0.25}});
  FloatMatrix values(4, 1);
  values.values = {1, 2, 3, 10};  // the mean is 4; the last is the quarter outside
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {-1, -1, -1, -1};
  testing::MemoryReport report;
  solver->bind(Layout::vector(1));
  solver->train({rows, Layout::vector(1), labels, {}}, report, context);
  CHECK(solver->bind(Layout::vector(1)) == Layout::vector(1));
  CHECK(report.numbers.at("objective") == 3);

  const float samples[] = {4, 7, 10};
  float scores[3];
  solver->apply({samples, 3, 1, 1}, {scores, 3, 1, 1}, context);
  CHECK(scores[0] == 3);
  CHECK(scores[1] == 0);  // on the boundary, which is usual
  CHECK(scores[2] == -3);
}

TEST_CASE("only the samples of the normal class are learned") {
  testing::TestContext context;
  const auto solver = testing::make_component<NoveltyDetector>(
      "solver/template_name", {{"novel", 0.0}, {"normal", std::string("b")}});
  FloatMatrix values(4, 1);
  values.values = {1, 100, 3, 100};
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {1, 0, 1, 0};
  const std::string classes[] = {"a", "b"};
  testing::MemoryReport report;
  solver->bind(Layout::vector(1));
  solver->train({rows, Layout::vector(1), labels, classes}, report, context);
  CHECK(report.numbers.at("objective") == 1);

  const std::string others[] = {"a", "c"};
  CHECK_THROWS_WITH_AS(solver->train({rows, Layout::vector(1), labels, others}, report, context),
                       "there is no class 'b'; 'normal' takes one of the data's classes", Error);
}
