// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "feature_testing.hpp"
#include "lbp_codes.hpp"

namespace lbp_test {

using namespace semblance;
using namespace semblance::features;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }

/// Brightness between pixels, in double.
double interpolated(const float* image, const Layout& layout, double y, double x) {
  const double fy = std::floor(y), fx = std::floor(x);
  double sum = 0;
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const double weight = (j ? y - fy : 1 - y + fy) * (i ? x - fx : 1 - x + fx);
      if (weight > 1e-9) sum += weight * image[int(fy + j) * int(layout.width) + int(fx + i)];
    }
  return sum;
}

/// The code by its definition.
int code_at(const float* image, const Layout& layout, int y, int x, double radius) {
  int code = 0;
  for (int p = 0; p < 8; ++p) {
    const double angle = p * std::numbers::pi / 4;
    const double point = interpolated(image, layout, y - radius * std::sin(angle) + 1e-12,
                                      x + radius * std::cos(angle) + 1e-12);
    if (point >= image[y * int(layout.width) + x]) code |= 1 << p;
  }
  return code;
}

int changes(int code) {
  int count = 0;
  for (int p = 0; p < 8; ++p) count += (code >> p & 1) != (code >> (p + 1) % 8 & 1);
  return count;
}

}  // namespace

TEST_CASE("lbp codes equal their definition, at any radius") {
  const Layout layout = Layout::image(17, 23, 1);
  const FloatMatrix image = random_samples(1, layout);
  for (const double radius : {1.0, 2.0, 3.0, 1.6}) {
    const LbpCodes patterns(radius);
    const int border = int(std::ceil(radius));
    CHECK(patterns.border() == std::size_t(border));
    std::vector<std::uint8_t> codes(layout.size());
    patterns.describe(image.values.data(), layout.height, layout.width, codes);
    for (int y = border; y < 17 - border; ++y)
      for (int x = border; x < 23 - border; ++x)
        CHECK(codes[y * 23 + x] == code_at(image.values.data(), layout, y, x, radius));
  }
}

TEST_CASE("58 patterns have at most two changes and bins of their own") {
  const auto& mapping = uniform_mapping();
  std::set<int> bins;
  int last = -1;
  for (int code = 0; code < 256; ++code) {
    if (changes(code) > 2) {
      CHECK(mapping[code] == 58);
      continue;
    }
    CHECK(mapping[code] == last + 1);
    last = mapping[code];
    bins.insert(last);
  }
  CHECK(bins.size() == 58);
}

TEST_CASE("histograms count the codes of each cell") {
  const Layout layout = Layout::image(21, 32, 1);
  const FloatMatrix image = random_samples(1, layout);
  for (const char* patterns : {"uniform", "all"}) {
    auto lbp = make_component<Feature>("feature/lbp",
                                       {{"cell", whole(5)}, {"patterns", std::string(patterns)}});
    const std::size_t bins = std::string(patterns) == "uniform" ? 59 : 256;
    CHECK(lbp->bind(layout) == Layout::grid(4, 6, bins));
    const FloatMatrix out = described(*lbp, layout, image);
    std::vector<float> expected(4 * 6 * bins);
    for (int y = 1; y < 20; ++y)
      for (int x = 1; x < 30; ++x) {
        const int code = code_at(image.values.data(), layout, y, x, 1);
        const int bin = bins == 256 ? code : uniform_mapping()[code];
        expected[(y / 5 * 6 + x / 5) * bins + bin] += 1;
      }
    CHECK(out.values == expected);
  }
}

TEST_CASE("cells that overlap are those of images cut at their corners") {
  const Layout layout = Layout::image(23, 19, 1);
  const FloatMatrix image = random_samples(1, layout);
  auto dense = make_component<Feature>("feature/lbp", {{"cell", whole(8)}, {"step", whole(3)}});
  CHECK(dense->bind(layout) == Layout::grid(6, 4, 59));
  const FloatMatrix found = described(*dense, layout, image);
  // By the definition: each code whose points are all inside the image counts in every cell around
  // it.
  std::vector<std::uint8_t> codes(layout.size());
  LbpCodes(1).describe(image.values.data(), 23, 19, codes);
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      std::vector<float> expected(59);
      for (std::size_t y = 3 * r; y < 3 * r + 8; ++y)
        for (std::size_t x = 3 * c; x < 3 * c + 8; ++x)
          if (y >= 1 && y < 22 && x >= 1 && x < 18)
            expected[uniform_mapping()[codes[y * 19 + x]]] += 1;
      CHECK(std::equal(expected.begin(), expected.end(), &found.values[(r * 4 + c) * 59]));
    }
  auto apart = make_component<Feature>("feature/lbp", {{"cell", whole(8)}}),
       same = make_component<Feature>("feature/lbp", {{"cell", whole(8)}, {"step", whole(8)}});
  CHECK(described(*apart, layout, image).values == described(*same, layout, image).values);
}

TEST_CASE("cells are scaled as asked for; a cell without codes stays 0") {
  const Layout layout = Layout::image(30, 30, 1);
  const FloatMatrix image = random_samples(1, layout);
  auto counts = make_component<Feature>("feature/lbp", {{"cell", whole(6)}, {"radius", 8.0}});
  auto root = make_component<Feature>(
      "feature/lbp", {{"cell", whole(6)}, {"radius", 8.0}, {"scale", std::string("root")}});
  auto cut = make_component<Feature>(
      "feature/lbp", {{"cell", whole(6)}, {"radius", 8.0}, {"scale", std::string("truncated")}});
  const FloatMatrix n = described(*counts, layout, image), r = described(*root, layout, image),
                    t = described(*cut, layout, image);
  for (std::size_t cell = 0; cell < 25; ++cell) {
    double total = 0, squares = 0;
    for (std::size_t k = cell * 59; k < cell * 59 + 59; ++k) {
      total += n.values[k];
      squares += n.values[k] * n.values[k];
    }
    const bool edge = cell < 5 || cell >= 20 || cell % 5 == 0 || cell % 5 == 4;
    CHECK((total == 0) == edge);
    double cut_squares = 0;
    for (std::size_t k = cell * 59; k < cell * 59 + 59 && total > 0; ++k)
      cut_squares += std::pow(std::min(0.2, n.values[k] / std::sqrt(squares)), 2);
    for (std::size_t k = cell * 59; k < cell * 59 + 59; ++k) {
      if (total == 0) {
        CHECK(r.values[k] == 0);
        CHECK(t.values[k] == 0);
        continue;
      }
      CHECK(r.values[k] == doctest::Approx(std::sqrt(n.values[k] / total)));
      CHECK(t.values[k] == doctest::Approx(std::min(0.2, n.values[k] / std::sqrt(squares)) /
                                           std::sqrt(cut_squares)));
    }
  }
}

TEST_CASE("where all is equal every point is as bright; channels are averaged") {
  const Layout grey = Layout::image(12, 12, 1), colour = Layout::image(12, 12, 3);
  FloatMatrix flat(1, grey.size());
  std::fill(flat.values.begin(), flat.values.end(), 0.1f);
  auto lbp = make_component<Feature>(
      "feature/lbp", {{"cell", whole(4)}, {"radius", 2.3}, {"patterns", std::string("all")}});
  const FloatMatrix out = described(*lbp, grey, flat);
  for (std::size_t k = 0; k < out.values.size(); ++k)
    CHECK((out.values[k] > 0) == (k % 256 == 255));

  const FloatMatrix image = random_samples(1, colour);
  FloatMatrix mean(1, grey.size());
  for (std::size_t p = 0; p < 144; ++p)
    mean.values[p] = (image.values[p] + image.values[144 + p] + image.values[288 + p]) / 3;
  CHECK(described(*lbp, colour, image).values == described(*lbp, grey, mean).values);
}

TEST_CASE("7080 values for the faces of the paper, the same on every thread") {
  auto lbp = make_component<Feature>("feature/lbp");
  CHECK(lbp->bind(Layout::image(150, 80, 1)).size() == 7080);
  check_rows_alone(*lbp, Layout::image(40, 33, 3));
}

TEST_CASE("what lbp cannot describe is refused when it is connected") {
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/lbp")->bind(Layout::vector(64)),
                       doctest::Contains("lbp needs images, not a vector of 64"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/lbp")->bind(Layout::image(9, 40, 1)),
                       doctest::Contains("too small for one cell of 10 pixels"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>("feature/lbp", {{"radius", 6.0}})->bind(Layout::image(12, 40, 1)),
      doctest::Contains("has no pixel that is 6 pixels away from every edge, where lbp could look; "
                        "choose a smaller 'radius', or larger pictures"),
      Error);
}

}  // namespace lbp_test
