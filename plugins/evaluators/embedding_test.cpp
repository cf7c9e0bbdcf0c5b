// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "evaluator_testing.hpp"
#include "figures/classical_scaling.hpp"
#include "semblance/random.hpp"

namespace embedding_test {

using namespace semblance;
using namespace semblance::evaluators;
using namespace semblance::evaluators::testing;

namespace {

struct Sample {
  double x, y;
  std::int32_t label;
};

/// Points of two classes, alternately.
std::vector<Sample> samples(std::size_t n) {
  Random random(3);
  std::vector<Sample> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back({3 * random.normal(), random.normal(), static_cast<std::int32_t>(i % 2)});
  return out;
}

/// The embedding of inner products: all samples are bases, in reverse.
MemoryReport embedded(const std::vector<Sample>& samples, const Parameters& parameters = {}) {
  const std::size_t n = samples.size();
  FloatMatrix map(n, n);
  std::vector<std::int64_t> bases;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < n; ++i) {
    bases.push_back(static_cast<std::int64_t>(n - 1 - i));
    labels.push_back(samples[i].label);
    for (std::size_t j = 0; j < n; ++j) {
      const Sample &a = samples[i], &b = samples[n - 1 - j];
      map.values[i * n + j] = static_cast<float>(a.x * b.x + a.y * b.y);
    }
  }
  const MemoryRows rows(std::move(map));
  const std::vector<std::string> classes = {"a", "b"};
  TestContext context;
  MemoryReport report;
  const TrainingSet training{rows, Layout::vector(n), labels, classes, bases};
  make_component<Evaluator>("evaluator/embedding", parameters)
      ->evaluate({.training = &training}, report, context);
  return report;
}

}  // namespace

TEST_CASE("points of the plane come back with their distances, and nothing is lost") {
  const auto points = samples(12);
  const auto report = embedded(points);
  CHECK(report.numbers.at("shown") == doctest::Approx(1));
  CHECK(report.numbers.at("asymmetry") == doctest::Approx(0));
  CHECK(report.integers.at("bases") == 12);
  const auto& plane = std::get<Scatter>(report.drawings.at("classical_scaling"));
  REQUIRE(plane.points.size() == 12);
  CHECK(plane.groups == std::vector<std::string>{"a", "b"});
  CHECK(plane.points.front().group == 0);
  CHECK(plane.points.back().group == 1);
  // The bases by class: the last samples of the first class come first.
  std::vector<std::size_t> order;
  for (const std::size_t label : {0, 1})
    for (std::size_t i = 12; i-- > 0;)
      if (i % 2 == label) order.push_back(i);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK(std::hypot(plane.points[i].x - plane.points[j].x,
                       plane.points[i].y - plane.points[j].y) ==
            doctest::Approx(std::hypot(points[order[i]].x - points[order[j]].x,
                                       points[order[i]].y - points[order[j]].y))
                .epsilon(1e-5));
}

TEST_CASE("the heat map is ordered by class and symmetric") {
  const auto map = std::get<HeatMap>(
      embedded(samples(10), {{"most_cells", std::int64_t{4}}}).drawings.at("similarities"));
  CHECK(map.rows == std::vector<std::string>{"a", "a", "b", "b"});
  CHECK(map.columns == map.rows);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) CHECK(map.values[4 * i + j] == map.values[4 * j + i]);
}

TEST_CASE("of many bases some are taken, evenly from all classes") {
  const auto report = embedded(samples(40), {{"most_bases", std::int64_t{8}}});
  CHECK(report.integers.at("bases") == 8);
  std::string classes;
  for (const auto& point : std::get<Scatter>(report.drawings.at("classical_scaling")).points)
    classes += "ab"[point.group];
  CHECK(classes == "aaaabbbb");
}

TEST_CASE("what the plane does not show counts as lost, and negative eigenvalues have no place") {
  // Centred already: eigenvalues 1, 1 and, on the third pair of corners, 1 or -1.
  for (const double third : {1.0, -1.0}) {
    const std::size_t n = 6;
    std::vector<double> matrix(n * n);
    for (std::size_t pair = 0; pair < 3; ++pair) {
      const double value = (pair == 2 ? third : 2.0 - static_cast<double>(pair)) / 2;
      const std::size_t a = 2 * pair, b = a + 1;
      matrix[a * n + a] = matrix[b * n + b] = value;
      matrix[a * n + b] = matrix[b * n + a] = -value;
    }
    const PlanePlaces scaled = classical_scaling(matrix, n);
    CHECK(scaled.shown == doctest::Approx(5.0 / 6));
    CHECK(std::abs(scaled.places[0]) == doctest::Approx(1));  // sqrt(2) / sqrt(2)
    CHECK(scaled.places[0] == doctest::Approx(-scaled.places[2]));
  }
  const PlanePlaces negative = classical_scaling({-1, 1, 1, -1}, 2);
  CHECK(negative.places == std::vector<double>{0, 0, 0, 0});
  CHECK(negative.shown == 0);
  CHECK(classical_scaling({1, 1, 1, 1}, 2).shown == 1);  // all the same: nothing to lose
}

TEST_CASE("what cannot be drawn is refused") {
  const std::vector<std::string> classes = {"a"};
  const std::vector<std::int32_t> labels = {0, 0};
  FloatMatrix map(2, 2);
  map.values = {1, std::numeric_limits<float>::quiet_NaN(), 1, 1};
  const MemoryRows rows(std::move(map));
  TestContext context;
  MemoryReport report;
  const auto evaluator = make_component<Evaluator>("evaluator/embedding", {});
  const Layout layout = Layout::vector(2);
  const std::vector<std::int64_t> bases = {0, 1};
  const TrainingSet without{rows, layout, labels, classes},
      with{rows, layout, labels, classes, bases};
  CHECK(message_of([&] {
          evaluator->evaluate({.training = &without}, report, context);
        }).starts_with("its input is not a similarity map"));
  CHECK(message_of([&] {
          evaluator->evaluate({.training = &with}, report, context);
        }).find("is not finite") != std::string::npos);
}

}  // namespace embedding_test
