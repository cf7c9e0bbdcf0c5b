// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "evaluator_testing.hpp"

namespace boundary_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

const std::vector<std::string> classes = {"left", "right", "top"};

Points points(std::vector<float> values, std::vector<std::int32_t> labels, std::size_t train,
              const Layout& layout = Layout::vector(2), std::vector<std::string> names = classes) {
  return {std::move(values), std::move(labels), train, layout, std::move(names)};
}

/// Above 1 the top; below it left and right of 0.
FloatMatrix score(MatrixView rows) {
  FloatMatrix scores(rows.rows, 3);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    float* s = scores.view().row(i);
    s[0] = -rows.row(i)[0], s[1] = rows.row(i)[0];
    s[2] = rows.row(i)[1] > 1 ? 100 : -100;
  }
  return scores;
}

MemoryReport draw(const Points& data, const Parameters& parameters,
                  std::vector<ComparedSample> compared = {}) {
  const auto boundary = make_component<Evaluator>("evaluator/boundary", parameters);
  TestContext context;
  MemoryReport report;
  const FloatMatrix probes = boundary->probes(data, context);
  const FloatMatrix probe_scores = score(probes.view());
  // Like the runtime: test samples, or all if there are none, with labels matched by name.
  const Outline& outline = data.outline();
  const std::size_t first = outline.test_rows > 0 ? outline.train_rows : 0;
  FloatMatrix rows(outline.rows() - first, 2);
  data.read(first, rows.view());
  const FloatMatrix scores = score(std::as_const(rows).view());
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : data.labels().subspan(first)) {
    const auto found =
        label < 0 ? classes.end()
                  : std::ranges::find(classes, outline.classes[static_cast<std::size_t>(label)]);
    labels.push_back(found == classes.end() ? -1
                                            : static_cast<std::int32_t>(found - classes.begin()));
  }
  Results test{scores.view(), labels, classes};
  test.data = &data;
  test.probes = probes.view();
  test.probe_scores = probe_scores.view();
  test.compared = std::move(compared);
  boundary->evaluate(test, report, context);
  return report;
}

const Points four = points({-1, 0, 1, 0, 3, 2, 1, -2}, {0, 1, 2, 0}, 2);

}  // namespace

TEST_CASE("the grid covers the data and a margin, and knows each point's class") {
  const auto report = draw(four, {{"points", std::int64_t{9}}, {"margin", 0.5}});
  const PlaneMap& map = report.plane_maps.at("decision_regions");
  CHECK(map.groups == classes);
  CHECK(map.x_low == -3);
  CHECK(map.x_high == 5);
  CHECK(map.y_low == -4);
  CHECK(map.y_high == 4);
  REQUIRE(map.regions.size() == 81);
  for (std::size_t row = 0; row < 9; ++row)
    for (std::size_t column = 0; column < 9; ++column) {
      const double x = -3.0 + static_cast<double>(column), y = -4.0 + static_cast<double>(row);
      // At x = 0 the scores are equal: the first class wins.
      REQUIRE(map.regions[row * 9 + column] == (y > 1 ? 2 : x > 0 ? 1 : 0));
    }
}

TEST_CASE("test samples are drawn, those of another class's region are marked") {
  const auto report = draw(four, {});
  const PlaneMap& map = report.plane_maps.at("decision_regions");
  CHECK(map.columns == 160);
  CHECK(map.marked_label == "misclassified");
  REQUIRE(map.points.size() == 2);
  CHECK(map.points[0].x == 3);
  CHECK(map.points[0].y == 2);
  CHECK(map.points[0].group == 2);
  CHECK_FALSE(map.points[0].marked);
  CHECK(map.points[1].group == 0);
  CHECK(map.points[1].marked);
}

TEST_CASE("training samples are drawn where they are wanted, without marks") {
  const auto both = draw(four, {{"samples", std::string("both")}});
  CHECK(both.plane_maps.at("decision_regions").points.size() == 4);
  const auto training = draw(four, {{"samples", std::string("training")}});
  const PlaneMap& map = training.plane_maps.at("decision_regions");
  REQUIRE(map.points.size() == 2);
  CHECK(map.points[1].x == 1);
  CHECK(map.marked_label.empty());
  CHECK(std::ranges::none_of(map.points, [](const auto& p) { return p.marked; }));
}

TEST_CASE("support vectors are circled at their samples, which are drawn with them") {
  using enum ComparedSample::As;
  const auto report = draw(four, {}, {{0, bounded_vector}, {1, margin_vector}});
  const PlaneMap& map = report.plane_maps.at("decision_regions");
  REQUIRE(map.circles.size() == 2);
  CHECK(map.circles[0].x == -1);
  CHECK(map.circles[0].y == 0);
  CHECK(map.circle_labels.at(map.circles[0].meaning) == "support vector at the bound C");
  CHECK(map.circles[1].x == 1);
  CHECK(map.circle_labels.at(map.circles[1].meaning) == "support vector on the margin");
  REQUIRE(map.points.size() == 4);  // two training samples and the test samples
  CHECK(map.points[0].x == -1);
  CHECK(map.points[0].group == 0);
  CHECK_FALSE(map.points[0].marked);
  const auto bases = draw(four, {}, {{1, basis}}).plane_maps.at("decision_regions");
  CHECK(bases.circle_labels.at(bases.circles.at(0).meaning) == "basis");
  CHECK(draw(four, {}).plane_maps.at("decision_regions").circles.empty());
}

TEST_CASE("of many support vectors a choice is circled, whose label says so") {
  std::vector<ComparedSample> compared;
  std::vector<float> values;
  for (std::size_t i = 0; i < 300; ++i) {
    values.insert(values.end(), {static_cast<float>(i), static_cast<float>(i % 5)});
    compared.push_back(
        {i, i < 30 ? ComparedSample::As::margin_vector : ComparedSample::As::bounded_vector});
  }
  const Points data = points(values, std::vector<std::int32_t>(300, 1), 300);
  const auto some = draw(data,
                         {{"samples", std::string("training")},
                          {"most_samples", std::int64_t{0}},
                          {"most_circles", std::int64_t{100}}},
                         compared);
  const PlaneMap& map = some.plane_maps.at("decision_regions");
  CHECK(map.circles.size() == 100);
  CHECK(map.points.size() == 100);
  const auto on_margin = std::ranges::count(map.circles, 0U, &PlaneMap::Circle::meaning);
  CHECK(on_margin > 0);
  CHECK(map.circle_labels[0] ==
        "support vector on the margin (" + std::to_string(on_margin) + " of 30)");
  CHECK(map.circle_labels[1] ==
        "support vector at the bound C (" + std::to_string(100 - on_margin) + " of 270)");
  const auto none = draw(data, {{"most_circles", std::int64_t{0}}}, compared);
  CHECK(none.plane_maps.at("decision_regions").circles.empty());
}

TEST_CASE("of many samples a choice is drawn that leaves out no class, of unlabelled ones all") {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 1000; ++i) {
    values.insert(values.end(), {static_cast<float>(i % 7), static_cast<float>(i % 5)});
    labels.push_back(i % 3);
  }
  const auto report = draw(points(values, labels, 0), {{"most_samples", std::int64_t{99}}});
  const PlaneMap& map = report.plane_maps.at("decision_regions");
  CHECK(map.points.size() == 99);
  for (std::int32_t c = 0; c < 3; ++c)
    CHECK(std::ranges::count(map.points, c, &PlaneMap::Point::group) > 15);
  const auto unlabelled = draw(points({0, 0, 1, 1}, {-1, -1}, 0), {});
  for (const auto& point : unlabelled.plane_maps.at("decision_regions").points) {
    CHECK(point.group == -1);
    CHECK_FALSE(point.marked);
  }
}

TEST_CASE("new data may have their classes in another order, and no training rows") {
  const std::vector<std::string> turned = {"top", "elsewhere", "left"};
  const auto report =
      draw(points({-1, 0, 1, 0, 3, 2}, {2, 1, 0}, 3, Layout::vector(2), turned), {});
  const PlaneMap& map = report.plane_maps.at("decision_regions");
  REQUIRE(map.points.size() == 3);
  CHECK(map.points[0].group == 0);
  CHECK(map.points[1].group == -1);
  CHECK(map.points[2].group == 2);
  const auto both = draw(points({1, 0, 1, 0}, {2, 2}, 1, Layout::vector(2), turned),
                         {{"samples", std::string("both")}});
  const auto& points = both.plane_maps.at("decision_regions").points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].group == 0);
  CHECK_FALSE(points[0].marked);
  CHECK(points[1].group == 0);
  CHECK(points[1].marked);
}

TEST_CASE("points on a line, or a single one, still have a plane around them") {
  for (const auto& values : {std::vector<float>{2, 0, 2, 3}, std::vector<float>{2, 3, 2, 3}}) {
    const auto report = draw(points(values, {0, 1}, 1), {});
    const PlaneMap& map = report.plane_maps.at("decision_regions");
    CHECK(map.x_low < 2);
    CHECK(map.x_high > 2);
    CHECK(map.y_low < map.y_high);
  }
}

TEST_CASE("data that are not of the plane are refused") {
  const auto message = [](const Points& data, std::size_t budget = 1 << 20) {
    return message_of([&] {
      TestContext context;
      context.budget = budget;
      make_component<Evaluator>("evaluator/boundary")->probes(data, context);
    });
  };
  CHECK(message(points({1, 2, 3}, {0}, 1, Layout::vector(3))) ==
        "it draws the plane, so the source's samples must be vectors of 2 values, but each is a "
        "vector of 3: remove this evaluator, or use a source such as source/xor");
  CHECK(message(points({1, 2}, {0}, 1, Layout::image(1, 2, 1)))
            .find("but each is a image of 1x2x1") != std::string::npos);
  CHECK(message(points({1, 2, 1, std::numeric_limits<float>::infinity()}, {0, 1}, 1)) ==
        "row 1 (counted from 0) is not finite, so it cannot be drawn in the plane");
  CHECK(message(four, 1000) ==
        "a grid of 160 x 160 points does not fit the memory budget; lower points");
}

}  // namespace boundary_test
