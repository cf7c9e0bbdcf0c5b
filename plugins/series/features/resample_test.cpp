// SPDX-License-Identifier: MIT
#include "features/series_feature_testing.hpp"

namespace resample_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::vector<float> resampled(std::int64_t length, const Layout& layout,
                             const std::vector<float>& series) {
  const auto component = make_component<Feature>("feature/resample", {{"length", length}});
  return made_of(*component, layout, series);
}

}  // namespace

TEST_CASE("steps between steps lie on the line, by hand") {
  CHECK(resampled(5, Layout::sequence(9, 1), {0, 2, 8}) == std::vector<float>{0, 1, 2, 5, 8});
  CHECK(resampled(2, Layout::sequence(9, 1), {3, 2, 8}) == std::vector<float>{3, 8});
  CHECK(resampled(3, Layout::sequence(9, 2), {0, 10, 4, 30}) ==
        std::vector<float>{0, 10, 2, 20, 4, 30});
}

TEST_CASE("as many steps as there are leave every bit") {
  const Layout layout = Layout::sequence(61, 2);
  const FloatMatrix series = random_series(1, layout, 61);
  CHECK(resampled(0, layout, series.values) == series.values);
  CHECK(resampled(61, layout, series.values) == series.values);
}

TEST_CASE("without a length all get that of the longest") {
  const auto resample = make_component<Feature>("feature/resample");
  const Layout layout = Layout::sequence(40, 3);
  CHECK(resample->bind(layout) == layout);
  const FloatMatrix series = random_series(20, layout, 1);
  const FloatMatrix out = made(*resample, layout, series);
  for (std::size_t i = 0; i < out.rows; ++i) {
    CHECK(out.view().size(i) == 120);
    const auto from = series.view().row_span(i), to = out.view().row_span(i);
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(to[c] == from[c]);
      CHECK(to[117 + c] == from[from.size() - 3 + c]);
    }
  }
}

TEST_CASE("one step") {
  CHECK(resampled(3, Layout::sequence(9, 1), {7}) == std::vector<float>{7, 7, 7});
  CHECK(resampled(1, Layout::sequence(9, 1), {7, 8, 9}) == std::vector<float>{7});
  CHECK_THROWS_WITH_AS(resampled(3, Layout::sequence(9, 1), {}), doctest::Contains("is empty"),
                       Error);
}

TEST_CASE("resample refuses what is no series, and treats rows alone") {
  const auto resample = make_component<Feature>("feature/resample", {{"length", std::int64_t{17}}});
  CHECK_THROWS_WITH_AS(resample->bind(Layout::vector(3)), doctest::Contains("a vector of 3"),
                       Error);
  const Layout layout = Layout::sequence(50, 2);
  check_series_alone(*resample, layout, random_series(40, layout, 1));
}

}  // namespace resample_test
