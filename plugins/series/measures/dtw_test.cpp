// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::dtw_test {
namespace {

using namespace testing;

double warped(std::span<const float> b, std::span<const float> x, std::size_t channels,
              double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    cells(i, j) = std::pow(step_distance(x, i, b, j, channels), 2) + cells.before(i, j);
  });
  return std::sqrt(cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1));
}

TEST_CASE("dtw is the root of the least sum of squared differences, in any window") {
  for (const double window : {0.0, 5.0, 10.0, 33.0, 70.0, 99.0, 100.0})
    for (const std::size_t channels : {1u, 3u})
      check_definition("similarity/dtw", {{"window", window}}, channels,
                       [&](auto b, auto x) { return warped(b, x, channels, window); });
}

TEST_CASE("dtw by hand") {
  // Warped onto each other exactly.
  CHECK(distance_of("similarity/dtw", {}, {0, 1, 2}, {0, 0, 1, 1, 2}) == 0);
  // 1 is next to 2 (or 0), 5 next to 4, the rest fits.
  CHECK(distance_of("similarity/dtw", {}, {1, 2, 3, 5}, {2, 2, 3, 4}) ==
        doctest::Approx(std::sqrt(2.0)));
  // With a window of 0 it is the Euclidean distance: 1 + 1 + 1 + 1.
  CHECK(distance_of("similarity/dtw", {{"window", 0.0}}, {0, 1, 0, 1}, {1, 0, 1, 0}) ==
        doctest::Approx(2));
  // One step to either side: the two ends remain.
  CHECK(distance_of("similarity/dtw", {{"window", 25.0}}, {0, 1, 0, 1}, {1, 0, 1, 0}) ==
        doctest::Approx(std::sqrt(2.0)));
  CHECK(distance_of("similarity/dtw", {}, {7}, {4}) == 3);
  // Two channels: (3, 4) from (0, 0) twice.
  CHECK(distance_of("similarity/dtw", {}, {3, 4}, {0, 0, 0, 0}, 2) ==
        doctest::Approx(std::sqrt(50.0)));
}

TEST_CASE("dtw of independent channels warps each on its own and adds up the sums") {
  const Parameters independent = {{"channels", std::string("independent")}, {"window", 40.0}};
  check_definition("similarity/dtw", independent, 2, [](auto b, auto x) {
    double sum = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      std::vector<float> one, other;
      for (std::size_t k = c; k < b.size(); k += 2) one.push_back(b[k]);
      for (std::size_t k = c; k < x.size(); k += 2) other.push_back(x[k]);
      sum += std::pow(warped(one, other, 1, 40), 2);
    }
    return std::sqrt(sum);
  });
}

TEST_CASE("dtw keeps its bits") {
  check_bits("similarity/dtw", {});
  check_bits("similarity/dtw", {{"window", 10.0}});
  check_bits("similarity/dtw", {{"channels", std::string("independent")}}, 3);
  check_bits("similarity/dtw", {{"window", 20.0}}, 3);
  check_order("similarity/dtw", {{"width", std::string("2")}, {"window", 10.0}});
}

TEST_CASE("dtw of a series with itself is exactly 0") {
  CHECK(distance_of("similarity/dtw", {}, {0.1f, 7.3f, -2.2f}, {0.1f, 7.3f, -2.2f}) == 0);
}

TEST_CASE("dtw refuses what is no series") {
  check_refusals("similarity/dtw", {});
  CHECK_THROWS_WITH_AS(make_component<Similarity>("similarity/dtw")->bind(Layout::vector(5)),
                       "a measure of series needs sequences, but these samples are each a vector "
                       "of 5; connect it to a source of series, or turn vectors into series with "
                       "feature/as_series",
                       Error);
  const Layout layout = Layout::sequence(4, 2);
  const auto measure =
      measure_of("similarity/dtw", {}, layout, rows_of(layout, {{1, 2, 3, 4}, {1, 2}}));
  CHECK_THROWS_WITH_AS(compare(*measure, rows_of(layout, {{1, 2}, {1, 2, 3, NAN}}).view()),
                       "step 1 of row 1 of the block (both counted from 0) is not a number; "
                       "remove or interpolate missing values",
                       Error);
}

}  // namespace
}  // namespace semblance::series::dtw_test
