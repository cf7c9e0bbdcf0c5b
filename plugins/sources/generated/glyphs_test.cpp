// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include "generated/glyph_drawing.hpp"
#include "tests/sources_testing.hpp"

namespace glyphs_test {

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::testing;

namespace {
constexpr std::int64_t few = 30;
const Parameters small = {{"train_per_class", few}, {"test_per_class", few / 2}};
}  // namespace

TEST_CASE("glyphs are balanced grey images of ten classes") {
  TestContext context;
  const auto data = open_checked(*make_component<Source>("source/glyphs", small), context);
  CHECK(data->outline().layout == Layout::image(28, 28, 1));
  CHECK(data->outline().train_rows == 300);
  CHECK(class_counts(*data, 0, 300) == std::vector<int>(10, 30));
  CHECK(class_counts(*data, 300, 150) == std::vector<int>(10, 15));
  CHECK(std::is_sorted(data->outline().classes.begin(), data->outline().classes.end()));
  CHECK(data->bytes() < 450 * (28 * 28 + 16));
}

TEST_CASE("the same seed gives the same images with any number of threads") {
  check_seeded(*make_component<Source>("source/glyphs", small));
}

TEST_CASE("more training images change neither the first ones nor the test images") {
  TestContext context;
  const auto few_rows = make_component<Source>("source/glyphs", small)->open(context);
  const auto more = make_component<Source>("source/glyphs", {{"train_per_class", 2 * few},
                                                             {"test_per_class", few / 2}})
                        ->open(context);
  const FloatMatrix a = all_rows(*few_rows), b = all_rows(*more);
  CHECK(std::equal(a.values.begin(), a.values.begin() + 300 * 784, b.values.begin()));
  CHECK(std::equal(a.values.begin() + 300 * 784, a.values.end(), b.values.begin() + 600 * 784));
}

TEST_CASE("the shapes differ clearly from each other, and from noise") {
  const GlyphStyle still{28, 0, 0, 0, 0};
  std::vector<std::vector<std::uint8_t>> drawn;
  for (std::size_t k = 0; k < glyph_names().size(); ++k) {
    drawn.emplace_back(784);
    draw_glyph(k, still, Random(1), drawn.back());
  }
  for (std::size_t a = 0; a < drawn.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      int differing = 0;
      for (std::size_t p = 0; p < 784; ++p) differing += std::abs(drawn[a][p] - drawn[b][p]) > 50;
      CAPTURE(glyph_names()[a] + " and " + glyph_names()[b]);
      CHECK(differing > 35);  // pixels of 784
    }
}

TEST_CASE("a shift moves the shape and leaves its form") {
  // The centre of gravity wanders as far as `shift` allows, the amount of ink does not change.
  const GlyphStyle shifted{32, 5, 0, 0, 0};
  double least = 1e9, most = -1e9;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<std::uint8_t> image(32 * 32);
    draw_glyph(2, shifted, Random::stream(9, seed), image);
    const int ground = *std::min_element(image.begin(), image.end());
    double ink = 0, moment = 0;
    for (std::size_t p = 0; p < image.size(); ++p)
      ink += image[p] - ground, moment += double(p % 32) * (image[p] - ground);
    least = std::min(least, moment / ink), most = std::max(most, moment / ink);
  }
  CHECK(most - least == doctest::Approx(10).epsilon(0.1));
}

TEST_CASE("signed distances are negative inside and have the right length") {
  const auto& shapes = glyph_shapes();
  const auto shape = [&](const std::string& name) {
    return *std::find_if(shapes.begin(), shapes.end(), [&](auto& s) { return s.name == name; });
  };
  CHECK(signed_distance(shape("circle"), {0, 0}) == doctest::Approx(-0.92).epsilon(0.01));
  CHECK(signed_distance(shape("circle"), {2, 0}) == doctest::Approx(1.08).epsilon(0.01));
  CHECK(signed_distance(shape("ring"), {0, 0}) == doctest::Approx(0.5).epsilon(0.02));
  CHECK(signed_distance(shape("plus"), {0, 0.9}) == doctest::Approx(-0.05).epsilon(0.01));
  CHECK(signed_distance(shape("corner"), {0.5, -0.5}) > 0.5);
}

TEST_CASE("each pixel has the share of ink that the distance of its centre says") {
  for (std::size_t number = 0; number < glyph_shapes().size(); ++number)
    for (const std::size_t size : {9U, 28U, 61U}) {
      std::vector<std::uint8_t> image(size * size);
      Random random(number);
      draw_glyph(number, {size, 0, 0, 0, 0}, random, image);
      for (int unused = 0; unused < 3; ++unused) random.uniform();  // of shifts and the rotation
      const double radius = 0.32 * double(size) * random.uniform(0.88, 1.12);
      const double ground = random.uniform(20, 70), ink = random.uniform(160, 240);
      for (std::size_t i = 0; i < image.size(); ++i) {
        const Point p = {(double(i % size) + 0.5 - double(size) / 2) / radius,
                         (double(i / size) + 0.5 - double(size) / 2) / radius};
        const double share = 0.5 - radius * signed_distance(glyph_shapes()[number], p);
        const double grey = ground + (ink - ground) * std::clamp(share, 0.0, 1.0);
        REQUIRE(image[i] == static_cast<std::uint8_t>(grey + 0.5));
      }
    }
}

TEST_CASE("no images at all are refused") {
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/glyphs", {{"train_per_class", std::int64_t{0}},
                                               {"test_per_class", std::int64_t{0}}}),
      doctest::Contains("no images"), Error);
}

}  // namespace glyphs_test
