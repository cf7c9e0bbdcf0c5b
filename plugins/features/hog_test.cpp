// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "hog_cells.hpp"
#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"

namespace hog_test {

using namespace semblance;
using namespace semblance::features;
using namespace semblance::testing;

namespace {

std::unique_ptr<Feature> make_hog(std::int64_t cell, const std::string& orientation) {
  return make_component<Feature>("feature/hog", {{"cell", cell}, {"orientation", orientation}});
}

FloatMatrix random_images(std::size_t count, const Layout& layout) {
  FloatMatrix images(count, layout.size());
  Random random(3);
  // Not integers, with which channels tie and the order of comparison decides.
  for (float& x : images.values) x = static_cast<float>(random.uniform(0, 255));
  return images;
}

std::vector<float> describe(Feature& hog, const Layout& layout, const float* image) {
  const Layout out = hog.bind(layout);
  std::vector<float> cells(out.size());
  TestContext context;
  hog.apply({image, 1, layout.size(), layout.size()}, {cells.data(), 1, cells.size(), cells.size()},
            context);
  return cells;
}

/// Histograms of 18 directed orientations written down from the definition: each gradient votes
/// with its length, bilinearly for the four nearest cells.
std::vector<double> histograms(const HogShape& shape, const float* image) {
  std::vector<double> h(shape.rows() * shape.cols() * 18);
  const std::size_t plane = shape.height * shape.width;
  for (std::size_t y = 1; y + 1 < shape.height; ++y)
    for (std::size_t x = 1; x + 1 < shape.width; ++x) {
      double gx = 0, gy = 0;
      for (std::size_t c = 0; c < shape.channels; ++c) {
        const float* p = image + c * plane + y * shape.width + x;
        const double dx = p[1] - p[-1], dy = p[shape.width] - p[-std::ptrdiff_t(shape.width)];
        if (dx * dx + dy * dy > gx * gx + gy * gy) gx = dx, gy = dy;
      }
      double angle = std::atan2(gy, gx) / (std::numbers::pi / 9);
      if (angle < 0) angle += 18;
      const double low = shape.bilinear ? std::floor(angle) : std::round(angle);
      const double share = shape.bilinear ? angle - low : 0;
      const double cy = (y + 0.5) / shape.cell - 0.5, cx = (x + 0.5) / shape.cell - 0.5;
      for (int r = 0; r < int(shape.rows()); ++r)
        for (int q = 0; q < int(shape.cols()); ++q) {
          const double weight = std::max(0.0, 1 - std::abs(cy - r)) *
                                std::max(0.0, 1 - std::abs(cx - q)) * std::hypot(gx, gy);
          double* cell = &h[(r * shape.cols() + q) * 18];
          cell[int(low) % 18] += weight * (1 - share);
          cell[(int(low) + 1) % 18] += weight * share;
        }
    }
  return h;
}

/// The UoCTTI description: four normalizations by 2x2 cells, truncation at 0.2, and their sums.
std::vector<double> brute_force(const HogShape& shape, const float* image) {
  const auto h = histograms(shape, image);
  const int rows = int(shape.rows()), cols = int(shape.cols());
  const auto bin = [&](int r, int c, int o) { return h[(r * cols + c) * 18 + o]; };
  const auto energy = [&](int r, int c) {
    r = std::clamp(r, 0, rows - 1), c = std::clamp(c, 0, cols - 1);
    double sum = 0;
    for (int o = 0; o < 9; ++o) sum += std::pow(bin(r, c, o) + bin(r, c, o + 9), 2);
    return sum;
  };
  std::vector<double> out;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      double feature[31] = {};
      for (int block = 0; block < 4; ++block) {
        const int dr = block / 2 ? 1 : -1, dc = block % 2 ? 1 : -1;
        const double norm = std::sqrt(energy(r, c) + energy(r + dr, c) + energy(r, c + dc) +
                                      energy(r + dr, c + dc) + 1e-10);
        for (int o = 0; o < 18; ++o) feature[o] += 0.5 * std::min(0.2, bin(r, c, o) / norm);
        for (int o = 0; o < 9; ++o) {
          const double undirected = std::min(0.2, (bin(r, c, o) + bin(r, c, o + 9)) / norm);
          feature[18 + o] += 0.5 * undirected;
          feature[27 + block] += undirected / std::sqrt(18.0);
        }
      }
      out.insert(out.end(), feature, feature + 31);
    }
  return out;
}

}  // namespace

TEST_CASE("hog equals a loop written from its definition") {
  for (const Layout& layout : {Layout::image(32, 32, 3), Layout::image(24, 17, 1)})
    for (const std::int64_t cell : {4, 8})
      for (const char* orientation : {"hard", "bilinear"}) {
        CAPTURE(cell);
        CAPTURE(std::string(orientation));
        const FloatMatrix images = random_images(3, layout);
        auto hog = make_hog(cell, orientation);
        const HogShape shape{layout.height, layout.width, layout.depth, std::size_t(cell),
                             std::strcmp(orientation, "bilinear") == 0};
        for (std::size_t i = 0; i < images.rows; ++i) {
          const auto expected = brute_force(shape, images.view().row(i));
          const auto cells = describe(*hog, layout, images.view().row(i));
          REQUIRE(cells.size() == expected.size());
          double worst = 0;
          for (std::size_t k = 0; k < cells.size(); ++k)
            worst = std::max(worst, std::abs(cells[k] - expected[k]));
          CHECK(worst < 1e-4);
        }
      }
}

TEST_CASE("32x32 pixels make 4x4x31 values at cell 8 and 8x8x31 at cell 4") {
  CHECK(make_hog(8, "bilinear")->bind(Layout::image(32, 32, 3)) == Layout::grid(4, 4, 31));
  CHECK(make_hog(4, "hard")->bind(Layout::image(32, 32, 3)) == Layout::grid(8, 8, 31));
  CHECK(make_hog(8, "hard")->bind(Layout::image(28, 20, 1)) == Layout::grid(4, 3, 31));
}

TEST_CASE("a brightness ramp to the right votes for orientation 0 only") {
  const Layout layout = Layout::image(32, 32, 1);
  std::vector<float> image(layout.size());
  for (std::size_t p = 0; p < image.size(); ++p) image[p] = 5.0f * float(p % 32);
  auto hog = make_hog(8, "bilinear");
  const auto cells = describe(*hog, layout, image.data());
  for (std::size_t cell = 0; cell < 16; ++cell)
    for (std::size_t k = 0; k < 27; ++k) {
      const float value = cells[cell * 31 + k];
      if (k == 0 || k == 18)
        CHECK(value == doctest::Approx(0.4));
      else
        CHECK(value == doctest::Approx(0).epsilon(1e-3));
    }
}

TEST_CASE("an image without contrast gives zeros, and a row's bits do not depend on its place") {
  const Layout layout = Layout::image(32, 32, 3);
  auto hog = make_hog(4, "bilinear");
  FloatMatrix images = random_images(5, layout);
  std::fill_n(images.view().row(1), layout.size(), 77.0f);
  const Layout grid = hog->bind(layout);
  FloatMatrix together(5, grid.size());
  TestContext context;
  hog->apply(images.view(), together.view(), context);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto alone = describe(*hog, layout, images.view().row(i));
    CHECK(std::memcmp(alone.data(), together.view().row(i), alone.size() * sizeof(float)) == 0);
  }
  for (const float x : together.view().row_span(1)) CHECK(x == 0);
}

TEST_CASE("threads do not disturb each other") {
  const Layout layout = Layout::image(32, 32, 3);
  auto hog = make_hog(8, "bilinear");
  const Layout grid = hog->bind(layout);
  const FloatMatrix images = random_images(200, layout);
  FloatMatrix one(200, grid.size()), four(200, grid.size());
  TestContext context(4);
  hog->apply(images.view(), one.view(), context);
  context.parallel_for(20, [&](std::size_t b) {
    hog->apply(images.view().rows_range(b * 10, 10), four.view().rows_range(b * 10, 10), context);
  });
  CHECK(one.values == four.values);
}

TEST_CASE("what hog cannot describe is refused when it is connected") {
  CHECK_THROWS_WITH_AS(make_hog(8, "hard")->bind(Layout::vector(64)),
                       doctest::Contains("hog needs images, not a vector of 64"), Error);
  CHECK_THROWS_WITH_AS(make_hog(16, "hard")->bind(Layout::image(7, 40, 1)),
                       doctest::Contains("too small for one cell of 16 pixels; choose a smaller"),
                       Error);
  CHECK_THROWS_WITH_AS(make_hog(2, "hard")->bind(Layout::image(2, 2, 1)),
                       doctest::Contains("at least 3x3 pixels"), Error);
}

}  // namespace hog_test
