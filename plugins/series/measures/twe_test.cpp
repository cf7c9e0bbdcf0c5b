// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::twe_test {
namespace {

using namespace testing;

struct Costs {
  double nu, lambda;
};

double edited(std::span<const float> b, std::span<const float> x, std::size_t channels, Costs cost,
              double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  const double removal = cost.nu + cost.lambda;
  CellTable cells(n, m, INFINITY);
  cells(-1, -1) = 0;
  for_cells(window, n, m, [&](auto i, auto j) {
    const double match = step_distance(x, i, b, j, channels) +
                         step_distance(x, i - 1, b, j - 1, channels) +
                         2 * cost.nu * double(std::abs(i - j));
    cells(i, j) = std::min({cells(i - 1, j - 1) + match,
                            cells(i - 1, j) + step_distance(x, i, x, i - 1, channels) + removal,
                            cells(i, j - 1) + step_distance(b, j, b, j - 1, channels) + removal});
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

TEST_CASE("twe is the least cost of deletions and matches") {
  for (const double window : {0.0, 1.0, 10.0, 100.0})
    for (const Costs cost : {Costs{0.001, 1}, Costs{0.5, 0}, Costs{0, 0.1}})
      for (const std::size_t channels : {1u, 3u})
        check_definition("similarity/twe",
                         {{"nu", cost.nu}, {"lambda", cost.lambda}, {"window", window}}, channels,
                         [&](auto b, auto x) { return edited(b, x, channels, cost, window); });
}

TEST_CASE("twe by hand") {
  const Parameters costs = {{"nu", 0.5}, {"lambda", 1.0}};
  CHECK(distance_of("similarity/twe", costs, {1, 2, 3}, {1, 2, 3}) == 0);
  // |1 - 2|, then |1 - 3| + |1 - 2|.
  CHECK(distance_of("similarity/twe", costs, {1, 1}, {2, 3}) == doctest::Approx(4));
  // The second 1 goes: |1 - 1| + nu + lambda.
  CHECK(distance_of("similarity/twe", costs, {1}, {1, 1}) == doctest::Approx(1.5));
  // 1 and 1 match; 4 goes: |4 - 1| + nu + lambda.
  CHECK(distance_of("similarity/twe", costs, {1}, {1, 4}) == doctest::Approx(4.5));
}

TEST_CASE("twe of independent channels is their sum") {
  const std::vector<float> b = {1, 0, 2, 5, 3, 1}, x = {0, 1, 2, 2, 2, 7, 9, 3};
  const double sum = distance_of("similarity/twe", {}, {1, 2, 3}, {0, 2, 2, 9}) +
                     distance_of("similarity/twe", {}, {0, 5, 1}, {1, 2, 7, 3});
  CHECK(distance_of("similarity/twe", {{"channels", std::string("independent")}}, b, x, 2) ==
        doctest::Approx(sum));
}

TEST_CASE("twe keeps its bits, and refuses what is no series") {
  check_bits("similarity/twe", {});
  check_bits("similarity/twe", {{"window", 20.0}}, 2);
  check_order("similarity/twe", {{"width", std::string("5")}});
  check_refusals("similarity/twe", {});
}

}  // namespace
}  // namespace semblance::series::twe_test
