// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::wdtw_test {
namespace {

using namespace testing;

double warped(std::span<const float> b, std::span<const float> x, std::size_t channels, double g,
              double longest, double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    const double weight = 1 / (1 + std::exp(-g * (double(std::abs(i - j)) - longest / 2)));
    cells(i, j) = weight * std::pow(step_distance(x, i, b, j, channels), 2) + cells.before(i, j);
  });
  return std::sqrt(cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1));
}

TEST_CASE("wdtw is dtw with weights that grow with the difference in time") {
  for (const double window : {0.0, 1.0, 10.0, 100.0})
    for (const double g : {0.0, 0.05, 1.0})
      for (const std::size_t channels : {1u, 3u})
        check_definition(
            "similarity/wdtw", {{"g", g}, {"window", window}}, channels, [&](auto b, auto x) {
              // T is the largest possible length of all compared series.
              const double longest = std::max(b.size(), x.size()) > 30 * channels ? 100 : 30;
              return warped(b, x, channels, g, longest, window);
            });
}

TEST_CASE("wdtw by hand") {
  // Without a slope every weight is 1/2: the differences are 1 and 1.
  CHECK(distance_of("similarity/wdtw", {{"g", 0.0}}, {0, 1, 0, 1}, {1, 0, 1, 0}) ==
        doctest::Approx(1));
  // A single step at a difference in time of 0, half of the longest length being 1/2.
  CHECK(distance_of("similarity/wdtw", {{"g", 2.0}}, {3}, {1}) ==
        doctest::Approx(2 / std::sqrt(1 + std::exp(1.0))));
}

TEST_CASE("wdtw keeps its bits, and refuses what is no series") {
  check_bits("similarity/wdtw", {});
  check_bits("similarity/wdtw", {{"window", 20.0}, {"g", 0.5}}, 2);
  check_bits("similarity/wdtw", {{"channels", std::string("independent")}}, 2);
  check_order("similarity/wdtw", {{"width", std::string("5")}});
  check_refusals("similarity/wdtw", {});
}

}  // namespace
}  // namespace semblance::series::wdtw_test
