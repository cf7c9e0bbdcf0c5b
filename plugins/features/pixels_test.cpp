// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"

namespace pixels_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

FloatMatrix run(bool grey, double scale) {
  auto pixels = make_component<Feature>("feature/pixels", {{"scale", scale}, {"grey", grey}});
  const Layout out = pixels->bind(Layout::image(1, 2, 3));
  FloatMatrix in(1, 6), result(1, out.size());
  in.values = {0, 30, 60, 90, 0, 255};
  TestContext context;
  pixels->apply(in.view(), result.view(), context);
  return result;
}

}  // namespace

TEST_CASE("pixels are scaled and keep their planar order") {
  CHECK(run(false, 0.5).values == std::vector<float>{0, 15, 30, 45, 0, 127.5f});
}

TEST_CASE("grey averages the channels") {
  const FloatMatrix out = run(true, 1);
  REQUIRE(out.cols == 2);
  CHECK(out.values[0] == doctest::Approx(20));
  CHECK(out.values[1] == doctest::Approx(125));
}

TEST_CASE("a scale of 0 would leave nothing of a picture") {
  CHECK_THROWS_WITH_AS(run(false, 0), doctest::Contains("'scale: 0' makes all values 0"), Error);
  CHECK(run(false, -1).values == std::vector<float>{0, -30, -60, -90, 0, -255});
}

TEST_CASE("pixels refuses what is no image") {
  auto pixels = make_component<Feature>("feature/pixels");
  CHECK_THROWS_WITH_AS(pixels->bind(Layout::grid(4, 4, 31)),
                       doctest::Contains("pixels needs images, not a grid of 4x4x31"), Error);
}

}  // namespace pixels_test
