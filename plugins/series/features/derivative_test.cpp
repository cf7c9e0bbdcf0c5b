// SPDX-License-Identifier: MIT
#include "features/series_feature_testing.hpp"

namespace derivative_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("the slope of each step, by hand") {
  const auto slopes = make_component<Feature>("feature/derivative");
  // Step 1: ((4 - 1) + (9 - 1) / 2) / 2 = 3.5; step 2: ((9 - 4) + (16 - 4) / 2) / 2 = 5.5.
  CHECK(made_of(*slopes, Layout::sequence(4, 1), {1, 4, 9, 16}) ==
        std::vector<float>{3.5f, 3.5f, 5.5f, 5.5f});
  const auto dropped =
      make_component<Feature>("feature/derivative", {{"ends", std::string("drop")}});
  CHECK(made_of(*dropped, Layout::sequence(4, 1), {1, 4, 9, 16}) == std::vector<float>{3.5f, 5.5f});
}

TEST_CASE("channels do not mix, and a line has its slope") {
  const auto slopes = make_component<Feature>("feature/derivative");
  std::vector<float> series;
  for (int t = 0; t < 10; ++t) series.insert(series.end(), {2.0f * float(t), 7.0f - float(t)});
  const auto out = made_of(*slopes, Layout::sequence(10, 2), series);
  for (std::size_t k = 0; k < out.size(); ++k) CHECK(out[k] == (k % 2 == 0 ? 2.0f : -1.0f));
}

TEST_CASE("the layout follows, and short series are refused") {
  const auto slopes = make_component<Feature>("feature/derivative");
  const auto dropped =
      make_component<Feature>("feature/derivative", {{"ends", std::string("drop")}});
  CHECK(slopes->bind(Layout::sequence(9, 2)) == Layout::sequence(9, 2));
  CHECK(dropped->bind(Layout::sequence(9, 2)) == Layout::sequence(7, 2));
  CHECK(dropped->values_of(18) == 14);
  CHECK_THROWS_WITH_AS(slopes->bind(Layout::sequence(2, 1)),
                       doctest::Contains("needs series of at least 3 steps"), Error);
  for (Feature* d : {slopes.get(), dropped.get()})
    for (const std::vector<float>& series : {std::vector<float>{1, 2}, {1}, {}})
      CHECK_THROWS_WITH_AS(made_of(*d, Layout::sequence(9, 1), series),
                           doctest::Contains("a derivative needs at least 3"), Error);
}

TEST_CASE("derivative refuses what is no series, and treats rows alone") {
  const auto slopes = make_component<Feature>("feature/derivative");
  CHECK_THROWS_WITH_AS(slopes->bind(Layout::image(3, 3, 1)), doctest::Contains("an image of 3x3x1"),
                       Error);
  const Layout layout = Layout::sequence(50, 2);
  check_series_alone(*slopes, layout, random_series(40, layout, 3));
}

}  // namespace derivative_test
