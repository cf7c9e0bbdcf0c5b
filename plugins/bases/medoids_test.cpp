// SPDX-License-Identifier: MIT
#include "medoids.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "semblance/random.hpp"
#include "semblance/state.hpp"

namespace semblance::bases::medoids_test {
namespace {

void serial(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = 0; i < count; ++i) body(i);
}
void backwards(std::size_t count, const std::function<void(std::size_t)>& body) {
  for (std::size_t i = count; i > 0; --i) body(i - 1);
}

FloatMatrix line_distances(const std::vector<float>& points) {
  FloatMatrix d(points.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points.size(); ++j)
      d.view().row(i)[j] = (points[i] - points[j]) * (points[i] - points[j]);
  return d;
}

double cost(const FloatMatrix& d, const std::vector<std::size_t>& medoids) {
  double sum = 0;
  for (std::size_t i = 0; i < d.rows; ++i) {
    float nearest = INFINITY;
    for (const std::size_t m : medoids) nearest = std::min(nearest, d.view().row(i)[m]);
    sum += nearest;
  }
  return sum;
}

TEST_CASE("similarities become squared distances of their symmetric part") {
  FloatMatrix s(2, 2);
  s.values = {5, 1, 2, 7};
  distances_from_similarities(s.view());
  CHECK(s.values == std::vector<float>{0, 9, 9, 0});
}

TEST_CASE("medoids of separate groups are the groups' centres") {
  const FloatMatrix d = line_distances({0, 1, 2, 50, 51, 52, 53, 54, 100, 101, 102});
  const Medoids found = find_medoids(d.view(), 3, 20, serial);
  CHECK(found.rows == std::vector<std::size_t>{1, 5, 9});
  CHECK(found.converged);
  CHECK(found.cost == 2 + (4 + 1 + 1 + 4) + 2);
}

TEST_CASE("one medoid is the best row of all") {
  Random random(3);
  std::vector<float> points(40);
  for (float& p : points) p = static_cast<float>(random.normal());
  const FloatMatrix d = line_distances(points);
  const Medoids found = find_medoids(d.view(), 1, 20, serial);
  for (std::size_t i = 0; i < 40; ++i) CHECK(found.cost <= cost(d, {i}));
}

TEST_CASE("iterations never raise the cost, and the order of parallel parts plays no role") {
  Random random(4);
  std::vector<float> points(120);
  for (float& p : points) p = static_cast<float>(random.normal());
  const FloatMatrix d = line_distances(points);
  double last = INFINITY;
  for (std::size_t iterations : {0u, 1u, 2u, 5u, 50u}) {
    const Medoids found = find_medoids(d.view(), 9, iterations, serial);
    CHECK(found.cost == doctest::Approx(cost(d, found.rows)));
    CHECK(found.cost <= last);
    last = found.cost;
    CHECK(find_medoids(d.view(), 9, iterations, backwards).rows == found.rows);
  }
}

TEST_CASE("as many medoids as rows, and rows that are equal") {
  const FloatMatrix d = line_distances({1, 1, 1, 1});
  CHECK(find_medoids(d.view(), 4, 5, serial).rows == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(find_medoids(d.view(), 2, 5, serial).rows.size() == 2);
}

}  // namespace
}  // namespace semblance::bases::medoids_test
