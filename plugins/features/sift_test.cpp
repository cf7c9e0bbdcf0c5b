// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "feature_testing.hpp"
#include "sift_descriptors.hpp"

namespace sift_test {

using namespace semblance;
using namespace semblance::features;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }
using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

/// A smooth pattern: with random values, different definitions of gradients would differ by as much
/// as the gradients.
FloatMatrix waves(std::size_t count, const Layout& layout) {
  FloatMatrix images(count, layout.size());
  Random random(5);
  for (std::size_t i = 0; i < count; ++i)
    for (int wave = 0; wave < 6; ++wave) {
      const double fy = random.uniform(-0.6, 0.6), fx = random.uniform(-0.6, 0.6),
                   phase = random.uniform(0, 6.3);
      for (std::size_t p = 0; p < layout.size(); ++p)
        images.view().row(i)[p] += static_cast<float>(
            20 * std::sin(fy * double(p / layout.width) + fx * double(p % layout.width) + phase));
    }
  return images;
}

struct Gradient {
  double length = 0;
  double angle = 0;  ///< in eighths of a turn, [0, 8)
};

Gradient gradient(const float* image, const Layout& layout, int y, int x) {
  const int h = int(layout.height), w = int(layout.width);
  const auto at = [&](int v, int u) { return double(image[v * w + u]); };
  const auto slope = [](double low, double high, int steps) { return (high - low) / steps; };
  const double gx =
      slope(at(y, std::max(x - 1, 0)), at(y, std::min(x + 1, w - 1)), x == 0 || x == w - 1 ? 1 : 2);
  const double gy =
      slope(at(std::max(y - 1, 0), x), at(std::min(y + 1, h - 1), x), y == 0 || y == h - 1 ? 1 : 2);
  double angle = std::atan2(gy, gx) / (std::numbers::pi / 4);
  if (angle < 0) angle += 8;
  return {std::hypot(gx, gy), angle};
}

/// Length 1, cut at 0.2, length 1 again.
void normalize(std::array<double, 128>& d) {
  for (int pass = 0; pass < 2; ++pass) {
    double norm = 0;
    for (const double v : d) norm += v * v;
    norm = std::sqrt(norm);
    for (double& v : d) v = pass == 0 ? std::min(v / norm, 0.2) : v / norm;
  }
}

/// SIFT from its definition: gradients vote with their length for 4x4x8 bins, linearly in all three
/// directions, weighted by a Gaussian of two bins. `margin`: this number of pixels beyond the edges
/// vote with the gradients on the edge.
std::array<double, 128> brute_force(const float* image, const Layout& layout, double cy, double cx,
                                    double bin, int margin) {
  std::array<double, 128> d{};
  const int h = int(layout.height), w = int(layout.width);
  for (int y = -margin; y < h + margin; ++y)
    for (int x = -margin; x < w + margin; ++x) {
      const Gradient g = gradient(image, layout, std::clamp(y, 0, h - 1), std::clamp(x, 0, w - 1));
      const double dy = (y - cy) / bin, dx = (x - cx) / bin;
      const double window = std::exp(-(dy * dy + dx * dx) / (2 * 2 * 2)) * g.length;
      for (int by = 0; by < 4; ++by)
        for (int bx = 0; bx < 4; ++bx)
          for (int t = 0; t < 8; ++t) {
            double turn = std::abs(g.angle - t);
            turn = std::min(turn, 8 - turn);
            d[(by * 4 + bx) * 8 + t] += window * std::max(0.0, 1 - std::abs(dy - by + 1.5)) *
                                        std::max(0.0, 1 - std::abs(dx - bx + 1.5)) *
                                        std::max(0.0, 1 - turn);
          }
    }
  normalize(d);
  return d;
}

double distance(const float* a, const std::array<double, 128>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 128; ++k) sum += std::pow(a[k] - b[k], 2);
  return std::sqrt(sum);
}

double length(const float* d) {
  double sum = 0;
  for (std::size_t k = 0; k < 128; ++k) sum += double(d[k]) * d[k];
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("descriptors of the grid equal SIFT's definition") {
  const Layout layout = Layout::image(41, 50, 1);
  const FloatMatrix image = waves(1, layout);
  const SiftGridShape shape{41, 50, 7, {4, 7}, false, 0};
  auto sift = make_component<Feature>("feature/sift_grid", {{"step", whole(7)},
                                                            {"bins", Integers{4, 7}},
                                                            {"window", std::string("gaussian")},
                                                            {"smoothing", 0.0}});
  // 41 - 22 = 19 pixels of room: 3 rows, and 5 left, of which 2 are above.
  CHECK(sift->bind(layout) == Layout::grid(3, 5, 256));
  const FloatMatrix out = described(*sift, layout, image);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 5; ++c)
      for (int s = 0; s < 2; ++s) {
        const double bin = s == 0 ? 4 : 7;
        // The centres of bins are at integer pixels, so the two scales are half a pixel apart.
        const double half = s == 0 ? -0.5 : 0;
        const double y = shape.first_centre(41) + 7 * r + half;
        const double x = shape.first_centre(50) + 7 * c + half;
        const float* d = out.values.data() + ((r * 5 + c) * 2 + s) * 128;
        CHECK(distance(d, brute_force(image.values.data(), layout, y, x, bin, 7)) < 0.03);
      }
}

TEST_CASE("a flat window gives nearly the same, whatever the brightness") {
  const Layout layout = Layout::image(40, 48, 1);
  const FloatMatrix image = waves(1, layout);
  auto gaussian =
      make_component<Feature>("feature/sift_grid", {{"window", std::string("gaussian")}});
  auto flat = make_component<Feature>("feature/sift_grid");
  const FloatMatrix a = described(*gaussian, layout, image), b = described(*flat, layout, image);
  FloatMatrix bright = image;
  for (float& x : bright.values) x = 30 + 2 * x;
  const FloatMatrix c = described(*flat, layout, bright);
  for (std::size_t cell = 0; cell < a.cols / 128; ++cell) {
    const float *u = a.values.data() + cell * 128, *v = b.values.data() + cell * 128,
                *w = c.values.data() + cell * 128;
    CHECK(length(u) == doctest::Approx(1).epsilon(1e-3));
    double cosine = 0;
    for (int k = 0; k < 128; ++k) cosine += double(u[k]) * v[k];
    CHECK(cosine > 0.97);
    for (int k = 0; k < 128; ++k) CHECK(w[k] == doctest::Approx(v[k]).epsilon(1e-2));
  }
}

TEST_CASE("shrinking takes means of squares of pixels") {
  const Layout large = Layout::image(83, 64, 1), small = Layout::image(41, 32, 1);
  const FloatMatrix image = waves(1, large);
  FloatMatrix half(1, small.size());
  for (std::size_t y = 0; y < 41; ++y)
    for (std::size_t x = 0; x < 32; ++x) {
      const float* p = image.values.data() + 2 * y * 64 + 2 * x;
      half.values[y * 32 + x] = (p[0] + p[1] + p[64] + p[65]) / 4;
    }
  auto shrunk = make_component<Feature>(
      "feature/sift_grid", {{"shrink", whole(2)}, {"step", whole(6)}, {"bins", Integers{3}}});
  auto plain =
      make_component<Feature>("feature/sift_grid", {{"step", whole(6)}, {"bins", Integers{3}}});
  CHECK(described(*shrunk, large, image).values == described(*plain, small, half).values);
}

TEST_CASE("the two resolutions of the scene experiment") {
  // Patches of 16 and 12 pixels: the outermost bins' middles are 12 and 9 pixels apart.
  auto fine = make_component<Feature>("feature/sift_grid");
  CHECK(fine->bind(Layout::image(256, 256, 3)) == Layout::grid(31, 31, 128));
  auto coarse = make_component<Feature>(
      "feature/sift_grid", {{"step", whole(6)}, {"bins", Integers{3}}, {"shrink", whole(2)}});
  CHECK(coarse->bind(Layout::image(256, 256, 3)) == Layout::grid(20, 20, 128));
}

TEST_CASE("descriptors at points equal SIFT's definition, also between pixels") {
  const Layout layout = Layout::image(45, 61, 1);
  const FloatMatrix image = waves(1, layout);
  const Numbers x = {0.5, 0.31, 0.7}, y = {0.5, 0.62, 0.4}, bins = {3, 4.5};
  auto sift = make_component<Feature>("feature/sift_at_points",
                                      {{"x", x}, {"y", y}, {"bins", bins}, {"smoothing", 0.0}});
  CHECK(sift->bind(layout) == Layout::grid(3, 2, 128));
  const FloatMatrix out = described(*sift, layout, image);
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t s = 0; s < 2; ++s) {
      const float* d = out.values.data() + (p * 2 + s) * 128;
      CHECK(length(d) == doctest::Approx(1).epsilon(1e-3));
      CHECK(distance(d, brute_force(image.values.data(), layout, y[p] * 44, x[p] * 60, bins[s],
                                    0)) < 0.03);
    }
}

TEST_CASE("points on the edge, and images without contrast") {
  const Layout layout = Layout::image(40, 40, 1);
  auto points = make_component<Feature>("feature/sift_at_points",
                                        {{"x", Numbers{0, 1, 1}}, {"y", Numbers{0, 1, 0.5}}});
  const FloatMatrix out = described(*points, layout, waves(1, layout));
  for (const float v : out.values) CHECK((v >= 0 && v <= 1));
  const FloatMatrix flat(1, layout.size());
  auto grid = make_component<Feature>("feature/sift_grid");
  for (const float v : described(*points, layout, flat).values) CHECK(v == 0);
  for (const float v : described(*grid, layout, flat).values) CHECK(v == 0);
}

TEST_CASE("sift gives the same bits on every thread") {
  const Layout layout = Layout::image(40, 37, 3);
  for (const char* window : {"flat", "gaussian"}) {
    auto grid = make_component<Feature>(
        "feature/sift_grid", {{"bins", Integers{3, 5}}, {"window", std::string(window)}});
    check_rows_alone(*grid, layout);
  }
  auto points = make_component<Feature>("feature/sift_at_points");
  check_rows_alone(*points, layout);
}

TEST_CASE("the root of a descriptor is that of its shares") {
  const Layout layout = Layout::image(40, 30, 1);
  FloatMatrix images = random_samples(2, layout);
  std::fill_n(images.view().row(1), layout.size(), 9.0f);  // no contrast
  auto plain = make_component<Feature>("feature/sift_grid"),
       root = make_component<Feature>("feature/sift_grid", {{"root", true}});
  const FloatMatrix a = described(*plain, layout, images), b = described(*root, layout, images);
  for (std::size_t first = 0; first < a.values.size(); first += 128) {
    double sum = 0;
    for (std::size_t k = first; k < first + 128; ++k) sum += double{a.values[k]};
    for (std::size_t k = first; k < first + 128; ++k)
      REQUIRE(double{b.values[k]} ==
              doctest::Approx(sum > 0 ? std::sqrt(double{a.values[k]} / sum) : 0.0).epsilon(1e-6));
  }
  CHECK(b.values[0] + b.values[1] > 0);
  check_rows_alone(*root, layout);
}

TEST_CASE("sift's parameters and layouts are checked") {
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/sift_grid", {{"bins", Integers{}}}),
                       doctest::Contains("'bins' is empty"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/sift_grid", {{"shrink", whole(3)}})
                           ->bind(Layout::image(38, 60, 1)),
                       doctest::Contains("shrunk by 3, is too small for a descriptor of 4x4 bins "
                                         "of 4 pixels"),
                       Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/sift_grid")->bind(Layout::vector(9)),
                       doctest::Contains("sift_grid needs images"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/sift_at_points", {{"x", Numbers{0.5}}}),
                       doctest::Contains("'x' has 1 values and 'y' has 9"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/sift_at_points", {{"bins", Numbers{}}}),
                       doctest::Contains("'bins' is empty"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>("feature/sift_at_points")->bind(Layout::grid(4, 4, 1)),
      doctest::Contains("sift_at_points needs images"), Error);
}

}  // namespace sift_test
