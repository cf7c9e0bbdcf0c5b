// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "feature_testing.hpp"
#include "tplbp_codes.hpp"

namespace tplbp_test {

using namespace semblance;
using namespace semblance::features;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

/// The Euclidean distance of two patches, from the definition.
double patch_distance(const float* image, int width, int half, int ay, int ax, int by, int bx) {
  double sum = 0;
  for (int v = -half; v <= half; ++v)
    for (int u = -half; u <= half; ++u)
      sum +=
          std::pow(double(image[(ay + v) * width + ax + u]) - image[(by + v) * width + bx + u], 2);
  return std::sqrt(sum);
}

/// Whether all patches around a pixel are inside the image.
bool has_code(int height, int width, const TplbpCodes::Shape& shape, int y, int x) {
  const int half = int(shape.side) / 2;
  const auto fits = [&](int row, int column) {
    return row >= half && row + half < height && column >= half && column + half < width;
  };
  bool all = fits(y, x);
  for (std::size_t i = 0; i < shape.patches; ++i) {
    const double angle = 2 * std::numbers::pi * double(i) / double(shape.patches);
    all = all && fits(y - int(std::lround(shape.radius * std::sin(angle))),
                      x + int(std::lround(shape.radius * std::cos(angle))));
  }
  return all;
}

/// Wolf, Hassner, Taigman, eq. (1).
int code_at(const float* image, int width, const TplbpCodes::Shape& shape, int y, int x) {
  const int half = int(shape.side) / 2, count = int(shape.patches);
  const auto distance = [&](int i) {
    const double angle = 2 * std::numbers::pi * (i % count) / count;
    return patch_distance(image, width, half, y - int(std::lround(shape.radius * std::sin(angle))),
                          x + int(std::lround(shape.radius * std::cos(angle))), y, x);
  };
  int code = 0;
  for (int i = 0; i < count; ++i)
    if (distance(i) - distance(i + int(shape.alpha)) >= shape.tau) code |= 1 << i;
  return code;
}

}  // namespace

TEST_CASE("three-patch codes equal their definition") {
  const int height = 25, width = 31;
  const FloatMatrix image = random_samples(1, Layout::image(height, width, 1));
  for (const TplbpCodes::Shape& shape :
       {TplbpCodes::Shape{8, 3, 2, 2, 0.01}, TplbpCodes::Shape{8, 5, 5, 3.5, 0.01},
        TplbpCodes::Shape{6, 1, 1, 4, 20}, TplbpCodes::Shape{3, 7, 2, 1, 0}}) {
    TplbpCodes patterns(shape);
    std::vector<std::uint8_t> codes(height * width, 255);
    patterns.describe(image.values.data(), height, width, codes);
    const CodeBorder border = patterns.border();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool inside = y >= int(border.top) && y < height - int(border.bottom) &&
                            x >= int(border.left) && x < width - int(border.right);
        CHECK(inside == has_code(height, width, shape, y, x));
        if (inside)
          CHECK(codes[y * width + x] == code_at(image.values.data(), width, shape, y, x));
        else
          CHECK(codes[y * width + x] == 255);
      }
  }
}

TEST_CASE("every pixel whose patches stay in the image has a code, however the circle is divided") {
  // Two patches left and right of a pixel: no border above and below.
  const Layout layout = Layout::image(24, 24, 1);
  for (const auto& [patches, codes] : std::vector<std::pair<int, int>>{{2, 24 * 8}, {4, 8 * 8}}) {
    auto tplbp = make_component<Feature>("feature/tplbp", {{"cell", whole(24)},
                                                           {"patches", whole(patches)},
                                                           {"patch", whole(1)},
                                                           {"alpha", whole(1)},
                                                           {"radius", 8.0},
                                                           {"scale", std::string("none")}});
    const FloatMatrix out = described(*tplbp, layout, random_samples(1, layout));
    CHECK(std::accumulate(out.values.begin(), out.values.end(), 0.0) == codes);
  }
}

TEST_CASE("tplbp counts the codes of each cell") {
  const Layout layout = Layout::image(22, 17, 1);
  const FloatMatrix image = random_samples(1, layout);
  auto tplbp = make_component<Feature>("feature/tplbp",
                                       {{"cell", whole(7)}, {"scale", std::string("none")}});
  CHECK(tplbp->bind(layout) == Layout::grid(3, 2, 256));
  std::vector<float> expected(6 * 256);
  for (int y = 3; y < 19; ++y)
    for (int x = 3; x < 14; ++x)
      if (y < 21)
        expected[(y / 7 * 2 + x / 7) * 256 +
                 code_at(image.values.data(), 17, {8, 3, 5, 2, 0.01}, y, x)] += 1;
  CHECK(described(*tplbp, layout, image).values == expected);
}

TEST_CASE("cells of tplbp have length 1 as they come, and flat images the code 0") {
  const Layout layout = Layout::image(40, 30, 1);
  auto tplbp = make_component<Feature>("feature/tplbp");
  const FloatMatrix out = described(*tplbp, layout, random_samples(2, layout));
  for (std::size_t cell = 0; cell < 24; ++cell) {
    double squares = 0;
    for (std::size_t k = 0; k < 256; ++k) squares += std::pow(out.values[cell * 256 + k], 2);
    CHECK(squares == doctest::Approx(1));
  }
  const FloatMatrix flat = described(*tplbp, layout, FloatMatrix(1, layout.size()));
  for (std::size_t k = 0; k < flat.values.size(); ++k) CHECK(flat.values[k] == (k % 256 == 0));
  check_rows_alone(*tplbp, Layout::image(30, 28, 3));
}

TEST_CASE("tplbp's parameters and layouts are checked") {
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/tplbp", {{"patch", whole(4)}}),
                       doctest::Contains("must be odd"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>("feature/tplbp", {{"patches", whole(4)}, {"alpha", whole(4)}}),
      doctest::Contains("'alpha' (4) must be below 'patches' (4)"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/tplbp")->bind(Layout::grid(5, 5, 1)),
                       doctest::Contains("tplbp needs images"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>("feature/tplbp", {{"radius", 9.0}})->bind(Layout::image(20, 40, 1)),
      doctest::Contains(
          "has no pixel that is 10 pixels away from every edge, where tplbp could look; "
          "choose a smaller 'patch' or 'radius', or larger pictures"),
      Error);
}

}  // namespace tplbp_test
