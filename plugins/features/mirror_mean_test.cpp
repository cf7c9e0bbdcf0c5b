// SPDX-License-Identifier: MIT

#include <memory>

#include "feature_testing.hpp"

namespace mirror_mean_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<Feature> mirror_mean_of(const std::string& inner, const Parameters& values = {}) {
  return make_component<Feature>("feature/mirror_mean", {}, {{"feature", part(inner, values)}});
}

FloatMatrix mirrored(const FloatMatrix& images, const Layout& layout) {
  FloatMatrix out(images.rows, images.cols);
  for (std::size_t i = 0; i < images.rows; ++i)
    for (std::size_t row = 0; row < layout.height * layout.depth; ++row)
      for (std::size_t x = 0; x < layout.width; ++x)
        out.view().row(i)[row * layout.width + x] =
            images.view().row(i)[row * layout.width + layout.width - 1 - x];
  return out;
}

}  // namespace

TEST_CASE("pixels of each row and channel are averaged with those opposite") {
  const Layout layout = Layout::image(1, 3, 2);
  FloatMatrix m(1, 6);
  m.values = {1, 2, 7, 10, 0, 30};
  auto mean = mirror_mean_of("feature/pixels", {{"scale", 1.0}});
  CHECK(described(*mean, layout, m).values == std::vector<float>{4, 2, 4, 20, 0, 20});
}

TEST_CASE("the mean of two descriptions, for any number of rows") {
  const Layout layout = Layout::image(30, 25, 1);
  const Parameters cells = {{"cell", std::int64_t{7}}, {"scale", std::string("root")}};
  auto mean = mirror_mean_of("feature/lbp", cells);
  auto alone = make_component<Feature>("feature/lbp", cells);
  const FloatMatrix images = random_samples(35, layout);
  const FloatMatrix a = described(*alone, layout, images),
                    b = described(*alone, layout, mirrored(images, layout)),
                    found = described(*mean, layout, images);
  CHECK(mean->bind(layout) == alone->bind(layout));
  REQUIRE(found.values.size() == a.values.size());
  for (std::size_t k = 0; k < a.values.size(); ++k)
    REQUIRE(found.values[k] == (a.values[k] + b.values[k]) / 2);
  CHECK(described(*mean, layout, mirrored(images, layout)).values == found.values);
  check_rows_alone(*mean, layout);
}

TEST_CASE("mirror_mean refuses what is not an image") {
  auto mean = mirror_mean_of("feature/pixels");
  CHECK_THROWS_WITH_AS(mean->bind(Layout::vector(9)),
                       doctest::Contains("mirror_mean needs images, not a"), Error);
}

}  // namespace mirror_mean_test
