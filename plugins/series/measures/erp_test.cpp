// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::erp_test {
namespace {

using namespace testing;

double aligned(std::span<const float> b, std::span<const float> x, std::size_t channels, double g,
               double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  const std::vector<float> gap(channels, float(g));
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    if (j == 0) cells(i, -1) = cells(i - 1, -1) + step_distance(x, i, gap, 0, channels);
    if (i == 0) cells(-1, j) = cells(-1, j - 1) + step_distance(b, j, gap, 0, channels);
  });
  for_cells(window, n, m, [&](auto i, auto j) {
    cells(i, j) = std::min({cells(i - 1, j - 1) + step_distance(x, i, b, j, channels),
                            cells(i - 1, j) + step_distance(x, i, gap, 0, channels),
                            cells(i, j - 1) + step_distance(b, j, gap, 0, channels)});
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

TEST_CASE("erp is the least cost of an alignment with gaps") {
  for (const double window : {0.0, 1.0, 10.0, 100.0})
    for (const double g : {0.0, -0.7})
      for (const std::size_t channels : {1u, 3u})
        check_definition("similarity/erp", {{"g", g}, {"window", window}}, channels,
                         [&](auto b, auto x) { return aligned(b, x, channels, g, window); });
}

TEST_CASE("erp by hand: the example of Chen and Ng (2004)") {
  // Q = (0), R = (1, 2), S = (2, 3, 3): the triangle inequality holds, unlike for DTW.
  CHECK(distance_of("similarity/erp", {}, {0}, {1, 2}) == 3);
  CHECK(distance_of("similarity/erp", {}, {1, 2}, {2, 3, 3}) == 5);
  CHECK(distance_of("similarity/erp", {}, {0}, {2, 3, 3}) == 8);
}

TEST_CASE("erp of independent channels is their sum") {
  const std::vector<float> b = {1, 0, 2, 5, 3, 1}, x = {0, 1, 2, 2, 2, 7, 9, 3};
  const double sum = distance_of("similarity/erp", {}, {1, 2, 3}, {0, 2, 2, 9}) +
                     distance_of("similarity/erp", {}, {0, 5, 1}, {1, 2, 7, 3});
  CHECK(distance_of("similarity/erp", {{"channels", std::string("independent")}}, b, x, 2) ==
        doctest::Approx(sum));
}

TEST_CASE("erp keeps its bits, and refuses what is no series") {
  check_bits("similarity/erp", {});
  check_bits("similarity/erp", {{"window", 20.0}, {"g", 0.5}}, 2);
  check_order("similarity/erp", {{"width", std::string("5")}});
  check_refusals("similarity/erp", {});
}

}  // namespace
}  // namespace semblance::series::erp_test
