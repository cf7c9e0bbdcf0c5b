// SPDX-License-Identifier: MIT
#include "measures/matching_testing.hpp"

namespace semblance::series::edr_test {
namespace {

using namespace testing;

double edits(std::span<const float> b, std::span<const float> x, std::size_t channels,
             float epsilon, double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    if (j == 0) cells(i, -1) = double(i + 1);
    if (i == 0) cells(-1, j) = double(j + 1);
  });
  for_cells(window, n, m, [&](auto i, auto j) {
    const double replaced = steps_match(x, i, b, j, channels, epsilon) ? 0 : 1;
    cells(i, j) =
        std::min({cells(i - 1, j - 1) + replaced, cells(i - 1, j) + 1, cells(i, j - 1) + 1});
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

TEST_CASE("edr is the number of edits") {
  for (const double window : {0.0, 1.0, 10.0, 100.0})
    for (const double epsilon : {0.0, 0.25, 1.0})
      for (const std::size_t channels : {1u, 2u})
        check_definition(
            "similarity/edr", {{"epsilon", epsilon}, {"window", window}}, channels,
            [&](auto b, auto x) { return edits(b, x, channels, float(epsilon), window); });
}

TEST_CASE("edr by hand") {
  CHECK(distance_of("similarity/edr", {}, {1, 2, 3, 4}, {1, 2, 3, 4}) == 0);
  CHECK(distance_of("similarity/edr", {}, {1, 2, 3, 4}, {1, 9, 3, 4}) == 1);
  CHECK(distance_of("similarity/edr", {}, {1, 2, 3, 4}, {2, 3, 4, 5}) == 2);
  CHECK(distance_of("similarity/edr", {}, {1}, {7, 7, 7, 1, 7}) == 4);
  CHECK(distance_of("similarity/edr", {{"channels", std::string("independent")}}, {1, 1, 2, 2},
                    {1, 1, 2, 3}, 2) == 1);
}

TEST_CASE("edr keeps its bits, and refuses what is no series") {
  check_bits("similarity/edr", {});
  check_bits("similarity/edr", {{"window", 20.0}}, 2);
  check_order("similarity/edr", {{"width", std::string("5")}});
  check_refusals("similarity/edr", {});
}

}  // namespace
}  // namespace semblance::series::edr_test
