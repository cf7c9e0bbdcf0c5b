// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "evaluator_testing.hpp"

namespace assignments_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

const std::vector<std::string> classes = {"low", "high"};

/// Four points of the plane, the last three for testing.
Points points(std::size_t cols = 2) {
  std::vector<float> values(4 * cols);
  std::iota(values.begin(), values.end(), 0.0f);
  return {std::move(values), {0, 0, 1, 1}, 1, Layout::vector(cols), classes};
}

FloatMatrix matrix(std::size_t rows, std::size_t cols, std::vector<float> values) {
  FloatMatrix m(rows, cols);
  m.values = std::move(values);
  return m;
}

/// Three test samples: two of class 0, by model 0 and by models 1 and 2; the third, of class 1, is
/// served by none.
const FloatMatrix scores = matrix(3, 2, {2, 1, 3, -1, -1, 0});
const FloatMatrix shares = matrix(3, 3, {1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0});
const std::vector<std::int32_t> labels{0, 1, 1};

}  // namespace

TEST_CASE("samples are counted for the model with the largest share, in the class assigned") {
  MemoryReport report;
  TestContext context;
  make_component<Evaluator>("evaluator/assignments")
      ->evaluate(
          {.outputs = scores.view(), .labels = labels, .classes = classes, .shares = shares.view()},
          report, context);
  const Table& table = report.tables.at("assignments");
  CHECK(table.rows == std::vector<std::string>{"model 0", "model 1", "model 2"});
  CHECK(table.columns == classes);
  CHECK(table.values == std::vector<double>{1, 0, 1, 0, 0, 0});
  CHECK(report.integers.at("local_models") == 3);
  CHECK(report.integers.at("used_models") == 2);
  CHECK(report.integers.at("unserved") == 1);
  // Mean shares 1/2, 1/4, 1/4; the rows' entropies are 0 and ln 2.
  CHECK(report.numbers.at("effective_models") == doctest::Approx(std::pow(2, 1.5)));
  CHECK(report.numbers.at("mean_entropy") == doctest::Approx(std::log(2) / 2));
  CHECK(report.plane_maps.empty());
}

TEST_CASE("of points of the plane it draws who serves where") {
  const Points data = points();
  const auto evaluator = make_component<Evaluator>("evaluator/assignments",
                                                   {{"points", std::int64_t{2}}, {"margin", 0.0}});
  TestContext context;
  const FloatMatrix grid = evaluator->probes(data, context);
  REQUIRE(grid.rows == 4);
  const FloatMatrix grid_scores(4, 2);
  const FloatMatrix grid_shares = matrix(4, 3, {0.6f, 0.4f, 0, 0, 1, 0, 0, 0, 0, 0.2f, 0.2f, 0.6f});
  MemoryReport report;
  evaluator->evaluate({.outputs = scores.view(),
                       .labels = labels,
                       .classes = classes,
                       .data = &data,
                       .probes = grid.view(),
                       .probe_scores = grid_scores.view(),
                       .shares = shares.view(),
                       .probe_shares = grid_shares.view()},
                      report, context);
  const PlaneMap& map = report.plane_maps.at("serving_models");
  CHECK(map.groups == std::vector<std::string>{"model 0", "model 1", "model 2", "none"});
  CHECK(map.regions == std::vector<std::int32_t>{0, 1, 3, 2});
  CHECK(map.columns == 2);
  CHECK(map.x_high == 6);
  REQUIRE(map.points.size() == 3);
  CHECK(map.points[0].x == 2);
  CHECK(map.points[0].group == 0);
  CHECK_FALSE(map.points[0].marked);
  CHECK(map.points[1].group == 1);
  CHECK(map.points[1].marked);
  CHECK(map.points[2].group == -1);
  CHECK_FALSE(map.points[2].marked);
}

TEST_CASE("of other samples it asks for no probes") {
  TestContext context;
  const FloatMatrix none =
      make_component<Evaluator>("evaluator/assignments")->probes(points(3), context);
  CHECK(none.rows == 0);
  CHECK(none.cols == 3);
}

TEST_CASE("a solver without local models is refused by its name") {
  MemoryReport report;
  TestContext context;
  Lineage lineage;
  lineage.solver = "solver/linear_svm";
  CHECK(message_of([&] {
          make_component<Evaluator>("evaluator/assignments")
              ->evaluate({scores.view(), labels, classes, lineage}, report, context);
        }) ==
        "the solver solver/linear_svm has no local models; remove this evaluator, or use a solver "
        "that has them, such as solver/ml3 or solver/llsvm");
}

}  // namespace assignments_test
