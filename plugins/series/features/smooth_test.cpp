// SPDX-License-Identifier: MIT
#include "features/series_feature_testing.hpp"

namespace smooth_test {

using namespace semblance;
using namespace semblance::testing;

namespace {

std::unique_ptr<Feature> with_window(std::int64_t window) {
  return make_component<Feature>("feature/smooth", {{"window", window}});
}

}  // namespace

TEST_CASE("moving averages by hand") {
  const Layout layout = Layout::sequence(5, 1);
  const auto three = with_window(3), two = with_window(2), one = with_window(1),
             nine = with_window(99);
  CHECK(made_of(*three, layout, {1, 2, 6, 4, 2}) == std::vector<float>{1.5f, 3, 4, 4, 3});
  CHECK(made_of(*two, layout, {1, 2, 6, 4, 2}) == std::vector<float>{1.5f, 4, 5, 3, 2});
  CHECK(made_of(*one, layout, {1, 2, 6, 4, 2}) == std::vector<float>{1, 2, 6, 4, 2});
  CHECK(made_of(*nine, layout, {1, 2, 6, 4, 2}) == std::vector<float>(5, 3.0f));
}

TEST_CASE("the definition, for every channel") {
  for (const std::int64_t window : {1, 2, 5, 8, 31}) {
    const auto smooth = with_window(window);
    const Layout layout = Layout::sequence(60, 2);
    const FloatMatrix series = random_series(10, layout, 1);
    const FloatMatrix out = made(*smooth, layout, series);
    for (std::size_t i = 0; i < out.rows; ++i) {
      const auto x = series.view().row_span(i), y = out.view().row_span(i);
      const auto steps = static_cast<std::int64_t>(x.size() / 2);
      for (std::int64_t t = 0; t < steps; ++t)
        for (std::int64_t c = 0; c < 2; ++c) {
          double sum = 0, count = 0;
          for (std::int64_t s = t - (window - 1) / 2; s <= t + window / 2; ++s)
            if (s >= 0 && s < steps) sum += x[std::size_t(s * 2 + c)], ++count;
          CHECK(y[std::size_t(t * 2 + c)] == doctest::Approx(sum / count).epsilon(1e-6));
        }
    }
  }
}

TEST_CASE("smooth refuses what is no series, and treats rows alone") {
  const auto smooth = with_window(7);
  CHECK_THROWS_WITH_AS(smooth->bind(Layout::vector(3)), doctest::Contains("smooth needs sequences"),
                       Error);
  const Layout layout = Layout::sequence(50, 2);
  check_series_alone(*smooth, layout, random_series(40, layout, 1));
}

}  // namespace smooth_test
