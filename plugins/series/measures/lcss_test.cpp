// SPDX-License-Identifier: MIT
#include "measures/matching_testing.hpp"

namespace semblance::series::lcss_test {
namespace {

using namespace testing;

double unmatched(std::span<const float> b, std::span<const float> x, std::size_t channels,
                 float epsilon, double window) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  const auto rows = std::ptrdiff_t(n), columns = std::ptrdiff_t(m);
  CellTable cells(n, m, 0);
  for_cells(100, n, m, [&](auto i, auto j) {
    const bool match =
        in_window(window, i, j, rows, columns) && steps_match(x, i, b, j, channels, epsilon);
    cells(i, j) = std::max({cells(i - 1, j), cells(i, j - 1), match ? cells(i - 1, j - 1) + 1 : 0});
  });
  return 1 - cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1) / double(std::min(n, m));
}

TEST_CASE("lcss is the share of steps that are in no common subsequence") {
  for (const double window : {0.0, 1.0, 10.0, 40.0, 100.0})
    for (const double epsilon : {0.0, 0.25, 1.0})
      for (const std::size_t channels : {1u, 2u})
        check_definition(
            "similarity/lcss", {{"epsilon", epsilon}, {"window", window}}, channels,
            [&](auto b, auto x) { return unmatched(b, x, channels, float(epsilon), window); });
}

TEST_CASE("lcss by hand") {
  // 1, 3 and 4 of four.
  CHECK(distance_of("similarity/lcss", {{"epsilon", 0.1}}, {1, 2, 3, 4}, {1, 5, 3, 3, 4}) ==
        doctest::Approx(0.25));
  CHECK(distance_of("similarity/lcss", {{"epsilon", 0.1}}, {1, 2}, {3, 4, 5}) == 1);
  // Exactly epsilon away is a match.
  CHECK(distance_of("similarity/lcss", {{"epsilon", 0.5}}, {1, 2}, {1.5f, 2.5f}) == 0);
  // One of two channels is too far.
  CHECK(distance_of("similarity/lcss", {{"epsilon", 0.5}}, {1, 1, 2, 2}, {1, 1, 2, 3}, 2) == 0.5);
  // The first channel is common, half of the second: 0 + 1 / 2.
  CHECK(distance_of("similarity/lcss", {{"epsilon", 0.5}, {"channels", std::string("independent")}},
                    {1, 1, 2, 2}, {1, 1, 2, 3}, 2) == 0.5);
}

TEST_CASE("one step of lcss that has no match costs one step, wherever it is in a narrow window") {
  const Parameters narrow = {{"epsilon", 0.25}, {"window", 0.0}};
  for (const std::size_t at : {0u, 1u, 50u, 98u, 99u}) {
    std::vector<float> b(100), x(100);
    b[at] = 5;
    x[at] = 9;
    CHECK(distance_of("similarity/lcss", narrow, b, x) == doctest::Approx(0.01));
  }
  std::vector<float> coarse, fine;
  for (int k = 0; k < 100; ++k) fine.push_back(float(k / 20));
  for (int k = 0; k < 10; ++k) coarse.push_back(float(k / 2));
  for (std::size_t at = 0; at < 10; ++at) {
    std::vector<float> changed = coarse;
    changed[at] = 99;
    for (const double window : {0.0, 1.0, 5.0})
      CHECK(distance_of("similarity/lcss", {{"epsilon", 0.25}, {"window", window}}, changed,
                        fine) == doctest::Approx(0.1));
  }
}

TEST_CASE("lcss keeps its bits, and refuses what is no series") {
  check_bits("similarity/lcss", {{"width", std::string("0.5")}});
  check_bits("similarity/lcss", {{"width", std::string("0.5")}, {"window", 20.0}}, 2);
  check_order("similarity/lcss", {{"width", std::string("0.5")}});
  check_refusals("similarity/lcss", {{"width", std::string("0.5")}});
}

}  // namespace
}  // namespace semblance::series::lcss_test
