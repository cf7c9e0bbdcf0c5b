// SPDX-License-Identifier: MIT
#include "local_tangents.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ml3_testing.hpp"

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

TEST_CASE("tangents of points near a circle are the circle's") {
  Random random(1);
  FloatMatrix rows(4000, 3);
  for (std::size_t i = 0; i < 4000; ++i) {
    const double angle = random.uniform(0, 6.283185307179586);
    rows.values[3 * i] = static_cast<float>(std::cos(angle));
    rows.values[3 * i + 1] = static_cast<float>(std::sin(angle));
    rows.values[3 * i + 2] = static_cast<float>(1e-3 * random.normal());
  }
  FloatMatrix anchors(2, 3);
  anchors.values = {1, 0, 0, 0.6f, 0.8f, 0};
  const FloatMatrix tangents = local_tangents(rows.view(), anchors, 2, 60, plain_surroundings());
  REQUIRE(tangents.rows == 4);
  CHECK(std::abs(double{tangents.values[1]}) > 0.999);
  CHECK(std::abs(double{tangents.values[6]} * 0.8 - double{tangents.values[7]} * 0.6) > 0.999);
  for (std::size_t t = 0; t < 4; ++t) {
    const auto u = tangents.view().row_span(t);
    CHECK(std::inner_product(u.begin(), u.end(), u.begin(), 0.0) == doctest::Approx(1));
  }
}

TEST_CASE("directions without variance are 0") {
  FloatMatrix rows(4, 3);
  rows.values = {0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0};
  FloatMatrix anchor(1, 3);
  anchor.values = {0, 2, 0};
  CHECK(local_tangents(rows.view(), anchor, 2, 3, plain_surroundings()).values ==
        std::vector<float>{0, 1, 0, 0, 0, 0});
}

TEST_CASE("features are the coordinates and their products with the way along the tangents") {
  FloatMatrix anchors(2, 2), tangents(2, 2);
  anchors.values = {1, 0, 0, 2};
  tangents.values = {0, 1, 1, 0};
  const TangentFeatures features(anchors, tangents, 3);
  REQUIRE(features.count() == 1);
  const std::vector<float> x{0.5f, 1.5f};
  const std::vector<Entry> codes{{0, 0.2f}, {1, 0.7f}};
  std::vector<Entry> found;
  features.extend(x, codes, found);
  REQUIRE(found.size() == 4);
  const std::vector<double> wanted{0.6, 0.2 * 1.5, 2.1, 0.7 * 0.5};
  for (std::size_t f = 0; f < 4; ++f) {
    CHECK(found[f].column == f);
    CHECK(double{found[f].value} == doctest::Approx(wanted[f]));
  }
}
