// SPDX-License-Identifier: MIT
#include <limits>

#include "measures/elastic_testing.hpp"
#include "semblance/similarity_testing.hpp"

namespace semblance::series::sbd_test {
namespace {

using namespace testing;

double shape_distance(std::span<const float> b, std::span<const float> x, std::size_t channels) {
  const auto n = std::ptrdiff_t(x.size() / channels), m = std::ptrdiff_t(b.size() / channels);
  double largest = -std::numeric_limits<double>::infinity(), bb = 0, xx = 0;
  for (const float v : b) bb += double(v) * v;
  for (const float v : x) xx += double(v) * v;
  for (std::ptrdiff_t shift = 1 - n; shift < m; ++shift) {
    double sum = 0;
    for (std::ptrdiff_t i = std::max<std::ptrdiff_t>(0, -shift); i < std::min(n, m - shift); ++i)
      for (std::size_t c = 0; c < channels; ++c)
        sum += double(x[std::size_t(i) * channels + c]) * b[std::size_t(i + shift) * channels + c];
    largest = std::max(largest, sum);
  }
  return 1 - largest / std::sqrt(bb * xx);
}

TEST_CASE("sbd is 1 less the largest normalized cross-correlation") {
  for (const std::size_t channels : {1u, 3u})
    check_definition("similarity/sbd", {}, channels,
                     [&](auto b, auto x) { return shape_distance(b, x, channels); });
}

TEST_CASE("sbd by hand") {
  // The same shape, shifted.
  CHECK(distance_of("similarity/sbd", {}, {0, 0, 1, 2, 1}, {1, 2, 1, 0}) ==
        doctest::Approx(0).epsilon(1e-6));
  // (1, 1) and (1, -1) overlap best in one step: 1 / 2.
  CHECK(distance_of("similarity/sbd", {}, {1, 1}, {1, -1}) == doctest::Approx(0.5));
  // One step only, of the other sign.
  CHECK(distance_of("similarity/sbd", {}, {2}, {-3}) == doctest::Approx(2));
  // A shorter basis next to a longer one: shifts that leave it do not count.
  const Layout layout = Layout::sequence(3, 1);
  const auto measure = measure_of("similarity/sbd", {{"as", std::string("negative")}}, layout,
                                  rows_of(layout, {{-1}, {1, 2, 3}}));
  CHECK(compare(*measure, rows_of(layout, {{2}}).view()).values[0] == doctest::Approx(-2));
}

TEST_CASE("sbd of a series of zeros is 1, to itself too") {
  CHECK(distance_of("similarity/sbd", {}, {0, 0, 0}, {1, 2, 3}) == 1);
  CHECK(distance_of("similarity/sbd", {}, {0, 0, 0}, {0, 0, 0}) == 1);
  const Layout layout = Layout::sequence(3, 1);
  const FloatMatrix rows = rows_of(layout, {{0, 0, 0}, {1, 2, 0}});
  const auto measure =
      measure_of("similarity/sbd", {{"as", std::string("negative")}}, layout, rows);
  const std::vector<float> own = compared_with_themselves(*measure, rows.view());
  CHECK(own == std::vector<float>{-1, 0});
}

TEST_CASE("sbd of independent channels is their sum") {
  const std::vector<float> b = {1, 0, 2, 5, 3, 1}, x = {0, 1, 2, 2, 2, 7, 9, 3};
  const double sum = distance_of("similarity/sbd", {}, {1, 2, 3}, {0, 2, 2, 9}) +
                     distance_of("similarity/sbd", {}, {0, 5, 1}, {1, 2, 7, 3});
  CHECK(distance_of("similarity/sbd", {{"channels", std::string("independent")}}, b, x, 2) ==
        doctest::Approx(sum));
}

TEST_CASE("sbd keeps its bits, and refuses what is no series") {
  check_bits("similarity/sbd", {});
  check_bits("similarity/sbd", {}, 3);
  check_order("similarity/sbd", {{"width", std::string("1")}});
  check_refusals("similarity/sbd", {});
}

}  // namespace
}  // namespace semblance::series::sbd_test
