// SPDX-License-Identifier: MIT
#include "coding/local_tangents.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ml3_testing.hpp"

namespace local_tangents_test {

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
  const FloatMatrix tangents =
      local_tangents(TrainingRows(rows.view()), anchors, 2, 60, plain_surroundings());
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
  CHECK(local_tangents(TrainingRows(rows.view()), anchor, 2, 3, plain_surroundings()).values ==
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

TEST_CASE("tangents do not depend on where rows and anchors are") {
  Random random(2);
  FloatMatrix rows(4000, 3);
  for (std::size_t i = 0; i < 4000; ++i) {
    const double angle = random.uniform(0, 6.283185307179586);
    rows.values[3 * i] = static_cast<float>(std::round(64 * std::cos(angle)));
    rows.values[3 * i + 1] = static_cast<float>(std::round(64 * std::sin(angle)));
    rows.values[3 * i + 2] = static_cast<float>(random.below(2)) / 64;
  }
  FloatMatrix anchors(2, 3);
  anchors.values = {64, 0, 0, 48, 42, 0};
  const FloatMatrix here =
      local_tangents(TrainingRows(rows.view()), anchors, 1, 100, plain_surroundings());
  for (const float shift : {1e3F, 1e5F}) {
    FloatMatrix moved = rows, moved_anchors = anchors;
    for (float& x : moved.values) x += shift;
    for (float& x : moved_anchors.values) x += shift;
    const FloatMatrix there =
        local_tangents(std::as_const(moved).view(), moved_anchors, 1, 100, plain_surroundings());
    for (std::size_t t = 0; t < 2; ++t) {
      const auto u = here.view().row_span(t), v = there.view().row_span(t);
      CHECK(std::inner_product(u.begin(), u.end(), v.begin(), 0.0) > 0.999);
    }
  }
}

TEST_CASE("the way along a tangent is exact far from 0, also with a single anchor") {
  for (const std::size_t count : {1u, 2u}) {
    FloatMatrix anchors(count, 2), tangents(count, 2);
    const std::vector<float> all_anchors{100001, 100000, 100003, 100002},
        all_tangents{0.6f, 0.8f, 0.8f, -0.6f};
    std::copy_n(all_anchors.begin(), 2 * count, anchors.values.begin());
    std::copy_n(all_tangents.begin(), 2 * count, tangents.values.begin());
    const TangentFeatures features(anchors, tangents, 1);
    std::vector<Entry> found;
    features.extend(std::vector<float>{100001.5f, 100000.25f}, std::vector<Entry>{{0, 0.5f}},
                    found);
    REQUIRE(found.size() == 2);
    // The tangent's own values are rounded to float32.
    CHECK(double{found[1].value} ==
          doctest::Approx(0.5 * (0.5 * double{0.6f} + 0.25 * double{0.8f})).epsilon(1e-6));
  }
}

}  // namespace local_tangents_test
