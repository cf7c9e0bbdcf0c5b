// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"

namespace color_cells_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

FloatMatrix cells_of(const FloatMatrix& image, const Layout& layout, std::int64_t cell) {
  auto feature = make_component<Feature>("feature/color_cells", {{"cell", cell}});
  FloatMatrix out(image.rows, feature->bind(layout).size());
  TestContext context;
  feature->apply(image.view(), out.view(), context);
  return out;
}

}  // namespace

TEST_CASE("color_cells has the means and deviations of opponent colours, written out") {
  constexpr std::size_t height = 5, width = 7, plane = height * width;
  FloatMatrix image(1, 3 * plane);
  Random random(1);
  for (float& x : image.values) x = static_cast<float>(std::floor(256 * random.uniform()));
  const FloatMatrix cells = cells_of(image, Layout::image(height, width, 3), 2);
  REQUIRE(cells.cols == 2 * 3 * std::size_t{6});
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t k = 0; k < 3; ++k) {
        std::vector<double> values;
        for (std::size_t y = 2 * row; y < 2 * row + 2; ++y)
          for (std::size_t x = 2 * column; x < 2 * column + 2; ++x) {
            const double r = image.values[y * width + x], g = image.values[plane + y * width + x],
                         b = image.values[2 * plane + y * width + x];
            const double opponents[] = {(r - g) / std::sqrt(2.0), (r + g - 2 * b) / std::sqrt(6.0),
                                        (r + g + b) / std::sqrt(3.0)};
            values.push_back(opponents[k]);
          }
        double mean = 0, variance = 0;
        for (const double v : values) mean += v / 4;
        for (const double v : values) variance += (v - mean) * (v - mean) / 4;
        const float* cell = &cells.values[(row * 3 + column) * std::size_t{6}];
        CHECK(cell[k] == doctest::Approx(mean).epsilon(1e-5));
        CHECK(cell[3 + k] == doctest::Approx(std::sqrt(variance)).epsilon(1e-4));
      }
}

TEST_CASE("a cell of one colour has no deviation") {
  FloatMatrix image(1, 3 * 16);
  for (std::size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = i < 16 ? 255 : i < 32 ? 3 : 77;
  const FloatMatrix cells = cells_of(image, Layout::image(4, 4, 3), 4);
  REQUIRE(cells.cols == 6);
  CHECK(cells.values[3] == 0);
  CHECK(cells.values[4] == 0);
  CHECK(cells.values[5] == 0);
}

TEST_CASE("of an image of one channel color_cells has its mean and its deviation") {
  FloatMatrix image(1, 4);
  image.values = {1, 3, 5, 7};
  const FloatMatrix cells = cells_of(image, Layout::image(2, 2, 1), 2);
  REQUIRE(cells.cols == 2);
  CHECK(cells.values[0] == doctest::Approx(4));
  CHECK(cells.values[1] == doctest::Approx(std::sqrt(5.0)));
}

TEST_CASE("color_cells refuses what has no colours, and cells larger than the image") {
  auto feature = make_component<Feature>("feature/color_cells");
  CHECK_THROWS_WITH_AS(feature->bind(Layout::image(8, 8, 2)),
                       doctest::Contains("color_cells needs images of one or three channels"),
                       Error);
  auto large = make_component<Feature>("feature/color_cells", {{"cell", std::int64_t{9}}});
  CHECK_THROWS_WITH_AS(large->bind(Layout::image(8, 8, 3)),
                       doctest::Contains("too small for one cell of 9 pixels"), Error);
}

}  // namespace color_cells_test
