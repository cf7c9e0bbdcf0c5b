// SPDX-License-Identifier: MIT
#include "semblance/feature.hpp"
#include "set_testing.hpp"

namespace semblance::sets::points_test {
namespace {

using namespace testing;

std::vector<float> points(const Parameters& values, const Layout& layout, const Set& sample) {
  auto feature = make_component<Feature>("feature/points", values);
  const Layout made = feature->bind(layout);
  FloatMatrix in(1, layout.size());
  in.values = sample;
  FloatMatrix out = FloatMatrix::ragged(made.size(), std::vector<std::size_t>{made.size()});
  CHECK(feature->values_of(layout.size()) == made.size());
  TestContext context;
  feature->apply(in.view(), out.view(), context);
  return out.values;
}

TEST_CASE("the strongest cells become points, the first of equal ones first") {
  const Layout image = Layout::image(2, 3, 1);
  CHECK(points({{"count", std::int64_t{3}}}, image, {5, 0, 9, 1, 5, 2}) ==
        std::vector<float>{0, 2, 9, 0, 0, 5, 1, 1, 5});
  CHECK(points({{"count", std::int64_t{2}}, {"value", 0.0}, {"place", 10.0}}, image,
               {5, 0, 9, 1, 5, 2}) == std::vector<float>{0, 20, 0, 0});
}

TEST_CASE("cells of grids and pixels of several channels keep their values") {
  // Cells (0, 0) = (3, 4), (0, 1) = (6, 0).
  CHECK(points({{"value", 2.0}}, Layout::grid(1, 2, 2), {3, 4, 6, 0}) ==
        std::vector<float>{0, 1, 12, 0, 0, 0, 6, 8});
  CHECK(points({}, Layout::image(1, 2, 2), {3, 6, 4, 0}) ==
        std::vector<float>{0, 1, 6, 0, 0, 0, 3, 4});
}

}  // namespace
}  // namespace semblance::sets::points_test
