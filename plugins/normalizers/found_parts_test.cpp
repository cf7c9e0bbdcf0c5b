// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "normalizer_testing.hpp"
#include "point_templates.hpp"
#include "semblance/ranks_testing.hpp"

namespace found_parts_test {

using namespace semblance;
using namespace semblance::normalizers;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }
using Numbers = std::vector<double>;

FloatMatrix random_images(std::size_t count, const Layout& layout) {
  FloatMatrix images(count, layout.size());
  Random random(3);
  for (float& x : images.values) x = static_cast<float>(random.uniform(0, 255));
  return images;
}

void learn(Normalizer& parts, const Layout& layout, const FloatMatrix& images,
           std::size_t threads = 2) {
  TestContext context(threads);
  const MemoryRows rows(images);
  parts.fit({rows, layout, {}, {}}, context);
}

FloatMatrix cut(const Normalizer& parts, const FloatMatrix& images, std::size_t values) {
  TestContext context;
  FloatMatrix out(images.rows, values);
  parts.apply(images.view(), out.view(), context);
  return out;
}

FloatMatrix learned_and_cut(Normalizer& parts, const Layout& layout, const FloatMatrix& images) {
  const Layout output = parts.bind(layout);
  learn(parts, layout, images);
  return cut(parts, images, output.size());
}

/// The whole method by its definition, pixel by pixel.
struct ByDefinition {
  Layout layout;
  Numbers x, y;
  int side, reach, part;
  std::vector<Numbers> templates;

  double pixel(const float* image, std::size_t c, int row, int column) const {
    const int top = std::clamp(row, 0, int(layout.height) - 1);
    const int left = std::clamp(column, 0, int(layout.width) - 1);
    return image[(c * layout.height + std::size_t(top)) * layout.width + std::size_t(left)];
  }

  static int first(double share, std::size_t pixels, int side) {
    return int(std::lround(share * double(pixels - 1) - (side - 1) / 2.0));
  }

  Numbers square(const float* image, std::size_t p, int down, int right) const {
    Numbers values;
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column) {
        double sum = 0;
        for (std::size_t c = 0; c < layout.depth; ++c)
          sum += pixel(image, c, first(y[p], layout.height, side) + down + row,
                       first(x[p], layout.width, side) + right + column);
        values.push_back(sum / double(layout.depth));
      }
    double mean = 0, squares = 0;
    for (const double v : values) mean += v / double(values.size());
    for (double& v : values) v -= mean;
    for (const double v : values) squares += v * v;
    for (double& v : values) v /= std::sqrt(squares);
    return values;
  }

  std::pair<int, int> place(const float* image, std::size_t p) const {
    std::pair<int, int> best;
    double largest = -2;
    for (int down = -reach; down <= reach && !templates.empty(); ++down)
      for (int right = -reach; right <= reach; ++right) {
        const Numbers values = square(image, p, down, right);
        double correlation = 0;
        for (std::size_t k = 0; k < values.size(); ++k) correlation += values[k] * templates[p][k];
        if (correlation > largest) largest = correlation, best = {down, right};
      }
    return best;
  }

  void learn(const FloatMatrix& images) {
    std::vector<Numbers> next(x.size(), Numbers(std::size_t(side * side)));
    for (std::size_t p = 0; p < x.size(); ++p) {
      for (std::size_t i = 0; i < images.rows; ++i) {
        const auto [down, right] = place(images.view().row(i), p);
        const Numbers values = square(images.view().row(i), p, down, right);
        for (std::size_t k = 0; k < values.size(); ++k) next[p][k] += values[k];
      }
      double squares = 0;
      for (const double v : next[p]) squares += v * v;
      for (double& v : next[p]) v /= std::sqrt(squares);
    }
    templates = next;
  }

  std::vector<float> mosaic(const float* image) const {
    std::vector<float> out;
    for (std::size_t c = 0; c < layout.depth; ++c)
      for (int row = 0; row < part; ++row)
        for (std::size_t p = 0; p < x.size(); ++p) {
          const auto [down, right] = place(image, p);
          for (int column = 0; column < part; ++column)
            out.push_back(float(pixel(image, c, first(y[p], layout.height, part) + down + row,
                                      first(x[p], layout.width, part) + right + column)));
        }
    return out;
  }
};

/// A bright cross on a dim slope, off the middle of a 24x24 image.
FloatMatrix crosses(const std::vector<Corner>& shifts) {
  FloatMatrix images(shifts.size(), 576);
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    float* image = images.view().row(i);
    for (std::size_t k = 0; k < 576; ++k) image[k] = float(k % 24);
    for (std::ptrdiff_t step = -2; step <= 2; ++step) {
      image[(11 + shifts[i].top + step) * 24 + 11 + shifts[i].left] = 200;
      image[(11 + shifts[i].top) * 24 + 11 + shifts[i].left + step] = 100;
    }
  }
  return images;
}

/// Each row of pixels backwards.
FloatMatrix mirrored(FloatMatrix images, std::size_t width) {
  for (std::size_t k = 0; k < images.values.size(); k += width)
    std::reverse(images.values.begin() + std::ptrdiff_t(k),
                 images.values.begin() + std::ptrdiff_t(k + width));
  return images;
}

std::unique_ptr<Normalizer> small_parts() {
  return make_component<Normalizer>("normalizer/found_parts", {{"x", Numbers{0.3, 0.75, 1}},
                                                               {"y", Numbers{0.5, 0.2, 0.9}},
                                                               {"template", whole(4)},
                                                               {"search", whole(2)},
                                                               {"rounds", whole(2)},
                                                               {"part", whole(5)}});
}

}  // namespace

TEST_CASE("found_parts is its definition, pixel by pixel") {
  const Layout layout = Layout::image(13, 17, 3);
  const FloatMatrix images = random_images(12, layout);
  const auto parts = small_parts();
  CHECK(parts->bind(layout) == Layout::image(5, 15, 3));
  const FloatMatrix out = learned_and_cut(*parts, layout, images);
  ByDefinition expected{layout, {0.3, 0.75, 1}, {0.5, 0.2, 0.9}, 4, 2, 5, {}};
  for (int pass = 0; pass < 3; ++pass) expected.learn(images);
  for (std::size_t i = 0; i < images.rows; ++i)
    CHECK(std::ranges::equal(expected.mosaic(images.view().row(i)), out.view().row_span(i)));
}

TEST_CASE(
    "parts at another place in each image are found, once templates have been averaged anew") {
  std::vector<Corner> shifts;
  for (std::ptrdiff_t k = 0; k < 60; ++k) shifts.push_back({k % 3 - 1, k % 5 - 2});
  const auto parts_with = [&](std::int64_t search) {
    auto parts = make_component<Normalizer>("normalizer/found_parts", {{"x", Numbers{11.0 / 23}},
                                                                       {"y", Numbers{11.0 / 23}},
                                                                       {"template", whole(9)},
                                                                       {"search", whole(search)},
                                                                       {"part", whole(5)}});
    return learned_and_cut(*parts, Layout::image(24, 24, 1), crosses(shifts));
  };
  const auto brightest = [](const FloatMatrix& parts, std::size_t i) {
    const auto part = parts.view().row_span(i);
    return std::max_element(part.begin(), part.end()) - part.begin();
  };
  const FloatMatrix found = parts_with(4), fixed = parts_with(0);
  for (std::size_t i = 1; i < 60; ++i) CHECK(brightest(found, i) == brightest(found, 0));
  CHECK(brightest(fixed, 0) != brightest(fixed, 1));
}

TEST_CASE("mirror images give mirror images, with symmetric points") {
  const Layout layout = Layout::image(20, 22, 1);
  const FloatMatrix half = random_images(30, layout), other = mirrored(half, 22);
  FloatMatrix all(60, layout.size());
  std::ranges::copy(half.values, all.values.begin());
  std::ranges::copy(other.values, all.view().row(30));
  auto parts =
      make_component<Normalizer>("normalizer/found_parts", {{"x", Numbers{0.25, 0.5, 0.75}},
                                                            {"y", Numbers{0.4, 0.6, 0.4}},
                                                            {"template", whole(6)},
                                                            {"search", whole(3)},
                                                            {"part", whole(8)}});
  const Layout output = parts->bind(layout);
  learn(*parts, layout, all);
  CHECK(cut(*parts, other, output.size()).values ==
        mirrored(cut(*parts, half, output.size()), output.width).values);
}

TEST_CASE("without contrast points are where they lie on average") {
  const Layout layout = Layout::image(9, 9, 1);
  FloatMatrix images(2, 81);
  std::fill_n(images.values.begin(), 81, 7.0f);
  std::fill_n(images.values.begin() + 81, 81, -1e6f);
  auto parts = make_component<Normalizer>("normalizer/found_parts", {{"x", Numbers{0}},
                                                                     {"y", Numbers{0}},
                                                                     {"template", whole(3)},
                                                                     {"search", whole(2)},
                                                                     {"part", whole(3)}});
  learned_and_cut(*parts, layout, images);
  FloatMatrix counted(1, 81);
  for (std::size_t k = 0; k < 81; ++k) counted.values[k] = float(k);
  // The first pixel's surroundings begin outside, where the image is continued by its nearest
  // pixel.
  CHECK(cut(*parts, counted, 9).values == std::vector<float>{0, 0, 1, 0, 0, 1, 9, 9, 10});
}

TEST_CASE("found_parts: same bits on threads and ranks, in any block, saved and loaded") {
  const Layout layout = Layout::image(10, 12, 1);
  const FloatMatrix images = random_images(700, layout);
  const auto one = small_parts(), two = small_parts(), loaded = small_parts();
  for (Normalizer* parts : {one.get(), two.get(), loaded.get()}) parts->bind(layout);
  learn(*one, layout, images, 1);
  learn(*two, layout, images, 3);
  MemoryState state, other;
  one->save(state);
  two->save(other);
  CHECK(state.floats("templates").values == other.floats("templates").values);
  TestContext context;
  loaded->load(state, context);
  const FloatMatrix expected = cut(*one, images, 75);
  CHECK(cut(*loaded, images, 75).values == expected.values);
  const FloatMatrix alone = cut(*one, FloatMatrix(images.view().rows_range(600, 100)), 75);
  CHECK(std::equal(alone.values.begin(), alone.values.end(), expected.view().row(600)));

  check_same_on_ranks(images, {2U, 3U}, [&](const Rows& rows, Context& own) {
    const auto parts = small_parts();
    parts->bind(layout);
    parts->fit({rows, layout, {}, {}}, own);
    MemoryState learned;
    parts->save(learned);
    std::string bits;
    for (const float x : learned.floats("templates").values)
      bits += std::to_string(std::bit_cast<std::uint32_t>(x)) + ' ';
    return bits;
  });
}

TEST_CASE("what found_parts cannot work with is named") {
  CHECK_THROWS_WITH_AS(make_component<Normalizer>("normalizer/found_parts", {{"x", Numbers{0.5}}}),
                       "'x' and 'y' have 1 and 9 values; give both for every point", Error);
  const auto parts = small_parts();
  CHECK_THROWS_WITH_AS(parts->bind(Layout::vector(9)),
                       doctest::Contains("found_parts needs images, not a vector of 9"), Error);
  const Layout layout = Layout::image(10, 12, 1);
  parts->bind(layout);
  CHECK_THROWS_WITH_AS(learn(*parts, layout, FloatMatrix(0, 120)),
                       doctest::Contains("no training rows"), Error);
  FloatMatrix bad = random_images(400, layout);
  bad.values[300 * 120 + 7] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(learn(*parts, layout, bad), doctest::Contains("training row 300, column 7"),
                       Error);
  learn(*parts, layout, random_images(20, layout));
  CHECK_THROWS_WITH_AS(cut(*parts, bad, 75), doctest::Contains("row 300 of the block, column 7"),
                       Error);
  CHECK_THROWS_WITH_AS(cut(*parts, FloatMatrix(1, 60), 75),
                       doctest::Contains("rows of 120 values, but these have 60"), Error);
  MemoryState state;
  parts->save(state);
  auto other = make_component<Normalizer>("normalizer/found_parts");
  other->bind(layout);
  TestContext context;
  CHECK_THROWS_WITH_AS(other->load(state, context),
                       "the state has 3 templates of 16 pixels, not 9 of 784; fit it again", Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  const MemoryRows rows(random_images(20, layout));
  CHECK_THROWS_AS(parts->fit({rows, layout, {}, {}}, stopped), Cancelled);
}

}  // namespace found_parts_test
