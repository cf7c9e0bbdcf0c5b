// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"
#include "semblance/similarity_testing.hpp"

namespace semblance::series::soft_dtw_test {
namespace {

using namespace testing;

double smooth_minimum(double gamma, std::initializer_list<double> values) {
  const double least = std::min(values);
  double sum = 0;
  for (const double value : values) sum += std::exp((least - value) / gamma);
  return least - gamma * std::log(sum);
}

double softly_warped(std::span<const float> b, std::span<const float> x, std::size_t channels,
                     double gamma) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, 1e30);
  cells(-1, -1) = 0;
  for_cells(100, n, m, [&](auto i, auto j) {
    cells(i, j) = std::pow(step_distance(x, i, b, j, channels), 2) +
                  smooth_minimum(gamma, {cells(i - 1, j - 1), cells(i - 1, j), cells(i, j - 1)});
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

TEST_CASE("soft_dtw is the smooth minimum over all paths") {
  for (const double gamma : {0.01, 0.5, 10.0})
    for (const std::size_t channels : {1u, 3u})
      check_definition(
          "similarity/soft_dtw", {{"gamma", gamma}, {"divergence", false}}, channels,
          [&](auto b, auto x) { return softly_warped(b, x, channels, gamma); },
          1e-4);  // of sums that may cancel
}

TEST_CASE("soft_dtw as a divergence leaves out what each series has with itself") {
  for (const double gamma : {0.1, 2.0})
    check_definition("similarity/soft_dtw", {{"gamma", gamma}}, 2, [&](auto b, auto x) {
      return softly_warped(b, x, 2, gamma) -
             (softly_warped(b, b, 2, gamma) + softly_warped(x, x, 2, gamma)) / 2;
    });
}

TEST_CASE("soft_dtw by hand") {
  // Two steps each, all differences 0: three paths.
  CHECK(distance_of("similarity/soft_dtw", {{"gamma", 2.0}, {"divergence", false}}, {1, 1},
                    {1, 1}) == doctest::Approx(-2 * std::log(3.0)));
  CHECK(distance_of("similarity/soft_dtw", {{"gamma", 2.0}, {"divergence", false}}, {1}, {4}) ==
        doctest::Approx(9));
  // For small gamma the square of dtw.
  const std::vector<float> b = {1, 2, 3, 5}, x = {2, 2, 3, 4};
  CHECK(distance_of("similarity/soft_dtw", {{"gamma", 1e-4}, {"divergence", false}}, b, x) ==
        doctest::Approx(std::pow(distance_of("similarity/dtw", {}, b, x), 2)).epsilon(1e-3));
}

TEST_CASE("soft_dtw of independent channels is their sum") {
  const Parameters one = {{"divergence", false}};
  const std::vector<float> b = {1, 0, 2, 5, 3, 1}, x = {0, 1, 2, 2, 2, 7, 9, 3};
  const double sum = distance_of("similarity/soft_dtw", one, {1, 2, 3}, {0, 2, 2, 9}) +
                     distance_of("similarity/soft_dtw", one, {0, 5, 1}, {1, 2, 7, 3});
  CHECK(distance_of("similarity/soft_dtw",
                    {{"divergence", false}, {"channels", std::string("independent")}}, b, x,
                    2) == doctest::Approx(sum));
}

TEST_CASE("soft_dtw of a series with itself is 0 as a divergence, at any length") {
  const Layout layout = Layout::sequence(1500, 1);
  const Series series = random_walks(5, layout, 700, 1);
  const FloatMatrix rows = rows_of(layout, series);
  for (const double gamma : {0.001, 1.0, 1000.0}) {
    const auto measure = measure_of(
        "similarity/soft_dtw", {{"gamma", gamma}, {"as", std::string("negative")}}, layout, rows);
    const FloatMatrix all = compare(*measure, rows.view());
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        if (i == j)
          CHECK(all.view().row(i)[j] == 0);
        else
          CHECK(all.view().row(i)[j] < 0);
  }
  const auto plain =
      measure_of("similarity/soft_dtw", {{"divergence", false}, {"as", std::string("negative")}},
                 layout, rows);
  const FloatMatrix all = compare(*plain, rows.view());
  const std::vector<float> own = compared_with_themselves(*plain, rows.view());
  for (std::size_t i = 0; i < 5; ++i) CHECK(all.view().row(i)[i] == own[i]);
}

TEST_CASE("soft_dtw keeps its bits, and refuses what is no series") {
  check_bits("similarity/soft_dtw", {}, 1, 5, 1e-4);
  check_bits("similarity/soft_dtw", {{"channels", std::string("independent")}}, 2, 5, 1e-4);
  check_order("similarity/soft_dtw", {{"width", std::string("5")}});
  check_refusals("similarity/soft_dtw", {});
  CHECK_THROWS_WITH_AS(make_component<Similarity>("similarity/soft_dtw", {{"divergence", false}}),
                       "divergence: false gives values below 0, which as: gaussian cannot use; "
                       "write as: negative or exponential",
                       Error);
  const Layout layout = Layout::sequence(2, 1);
  CHECK_THROWS_WITH_AS(
      measure_of("similarity/soft_dtw", {}, layout, rows_of(layout, {{1, 2}, {1, 0x1p40f}})),
      "basis 1 (counted from 0) has the value 1099511627776, which is "
      "too large for this kernel; normalize the series (feature/znorm) or choose a "
      "wider kernel",
      Error);
}

}  // namespace
}  // namespace semblance::series::soft_dtw_test
