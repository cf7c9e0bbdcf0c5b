// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::msm_test {
namespace {

using namespace testing;

// The cost of step i of `a` next to its predecessor, aligned with step j of `other`.
double split(double c, std::span<const float> a, std::ptrdiff_t i, std::span<const float> other,
             std::ptrdiff_t j, std::size_t channels) {
  double between = 0;  // the product of the ways to the two: not positive in their ball
  for (std::size_t k = 0; k < channels; ++k) {
    const double at = a[std::size_t(i) * channels + k];
    between +=
        (at - a[std::size_t(i - 1) * channels + k]) * (at - other[std::size_t(j) * channels + k]);
  }
  if (between <= 0) return c;
  return c +
         std::min(step_distance(a, i, a, i - 1, channels), step_distance(a, i, other, j, channels));
}

double moved(std::span<const float> b, std::span<const float> x, std::size_t channels, double c,
             double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    double best = cells(i - 1, j - 1) + step_distance(x, i, b, j, channels);
    if (i > 0) best = std::min(best, cells(i - 1, j) + split(c, x, i, b, j, channels));
    if (j > 0) best = std::min(best, cells(i, j - 1) + split(c, b, j, x, i, channels));
    cells(i, j) = best;
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

TEST_CASE("msm is the least cost of moves, splits and merges") {
  for (const double window : {0.0, 1.0, 10.0, 100.0})
    for (const double c : {0.0, 0.1, 1.0})
      for (const std::size_t channels : {1u, 3u})
        check_definition("similarity/msm", {{"c", c}, {"window", window}}, channels,
                         [&](auto b, auto x) { return moved(b, x, channels, c, window); });
}

TEST_CASE("msm by hand") {
  // Moves only: |1 - 2| + |5 - 3|.
  CHECK(distance_of("similarity/msm", {}, {1, 5}, {2, 3}) == doctest::Approx(3));
  // A split of the 2, equal values: c.
  CHECK(distance_of("similarity/msm", {{"c", 0.25}}, {1, 2, 3}, {1, 2, 2, 3}) ==
        doctest::Approx(0.25));
  // The extra 9 is outside of [1, 1]: c, plus 8 to move it there.
  CHECK(distance_of("similarity/msm", {{"c", 0.5}}, {1, 1}, {1, 9, 1}) == doctest::Approx(8.5));
  // The extra 2 is between 1 and 3: merging it costs c, and moving it by 1 to either side stays
  // inside.
  CHECK(distance_of("similarity/msm", {{"c", 0.5}}, {1, 3}, {1, 2, 3}) == doctest::Approx(1.5));
}

TEST_CASE("msm of independent channels is their sum") {
  const std::vector<float> b = {1, 0, 2, 5, 3, 1}, x = {0, 1, 2, 2, 2, 7, 9, 3};
  const double sum = distance_of("similarity/msm", {}, {1, 2, 3}, {0, 2, 2, 9}) +
                     distance_of("similarity/msm", {}, {0, 5, 1}, {1, 2, 7, 3});
  CHECK(distance_of("similarity/msm", {{"channels", std::string("independent")}}, b, x, 2) ==
        doctest::Approx(sum));
}

TEST_CASE("msm keeps its bits, and refuses what is no series") {
  check_bits("similarity/msm", {});
  check_bits("similarity/msm", {{"window", 20.0}}, 2);
  check_order("similarity/msm", {{"width", std::string("5")}});
  check_refusals("similarity/msm", {});
}

}  // namespace
}  // namespace semblance::series::msm_test
