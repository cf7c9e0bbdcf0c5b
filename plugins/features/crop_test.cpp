// SPDX-License-Identifier: MIT
#include "feature_testing.hpp"

namespace crop_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

Value whole(std::int64_t x) { return x; }
using Integers = std::vector<std::int64_t>;

FloatMatrix counted(const Layout& layout) {
  FloatMatrix m(1, layout.size());
  for (std::size_t k = 0; k < m.values.size(); ++k) m.values[k] = static_cast<float>(k);
  return m;
}

}  // namespace

TEST_CASE("the centre of an image, all channels") {
  const Layout layout = Layout::image(4, 5, 2);
  auto crop = make_component<Feature>("feature/crop", {{"height", whole(2)}, {"width", whole(2)}});
  CHECK(crop->bind(layout) == Layout::image(2, 2, 2));
  CHECK(described(*crop, layout, counted(layout)).values ==
        std::vector<float>{6, 7, 11, 12, 26, 27, 31, 32});
  check_rows_alone(*crop, layout);
}

TEST_CASE("a part at a given place") {
  const Layout layout = Layout::image(4, 5, 1);
  auto crop = make_component<Feature>(
      "feature/crop", {{"height", whole(3)}, {"width", whole(1)}, {"offset", Integers{1, 4}}});
  CHECK(described(*crop, layout, counted(layout)).values == std::vector<float>{9, 14, 19});
  auto all = make_component<Feature>("feature/crop", {{"height", whole(4)}, {"width", whole(5)}});
  CHECK(described(*all, layout, counted(layout)).values == counted(layout).values);
}

TEST_CASE("parts that reach out of the image are refused") {
  auto crop = make_component<Feature>("feature/crop", {{"height", whole(5)}, {"width", whole(2)}});
  CHECK_THROWS_WITH_AS(crop->bind(Layout::image(4, 5, 1)),
                       doctest::Contains("2 wide and 5 high at row 0 and column 1 extends beyond"),
                       Error);
  CHECK_THROWS_WITH_AS(crop->bind(Layout::vector(9)), doctest::Contains("crop needs images"),
                       Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>(
          "feature/crop", {{"height", whole(2)}, {"width", whole(2)}, {"offset", Integers{3, 0}}})
          ->bind(Layout::image(4, 5, 1)),
      doctest::Contains("extends beyond"), Error);
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/crop", {{"offset", Integers{3}}}),
                       doctest::Contains("two numbers"), Error);
}

}  // namespace crop_test
