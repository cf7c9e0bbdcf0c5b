// SPDX-License-Identifier: MIT
#include <limits>

#include "measures/elastic_testing.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"

namespace semblance::series::gak_test {
namespace {

using namespace testing;

// log(exp(a) + exp(b) + exp(c))
double log_sum(double a, double b, double c) {
  const double most = std::max({a, b, c});
  if (most == -std::numeric_limits<double>::infinity()) return most;
  return most + std::log(std::exp(a - most) + std::exp(b - most) + std::exp(c - most));
}

double log_alignments(std::span<const float> b, std::span<const float> x, std::size_t channels,
                      double sigma, double triangle) {
  const std::size_t n = x.size() / channels, m = b.size() / channels;
  CellTable cells(n, m, -std::numeric_limits<double>::infinity());
  cells(-1, -1) = 0;
  for_cells(100, n, m, [&](auto i, auto j) {
    const double distance = step_distance(x, i, b, j, channels);
    const double weight =
        triangle > 0 ? std::max(0.0, 1 - double(std::abs(i - j)) / triangle) : 1.0;
    const double g = weight * std::exp(-distance * distance / (2 * sigma * sigma));
    cells(i, j) =
        std::log(g / (2 - g)) + log_sum(cells(i - 1, j - 1), cells(i - 1, j), cells(i, j - 1));
  });
  return cells(std::ptrdiff_t(n) - 1, std::ptrdiff_t(m) - 1);
}

double aligned(std::span<const float> b, std::span<const float> x, std::size_t channels,
               double sigma, double triangle) {
  const auto log_kernel = [&](auto a, auto c) {
    return log_alignments(a, c, channels, sigma, triangle);
  };
  return std::exp(log_kernel(b, x) - (log_kernel(b, b) + log_kernel(x, x)) / 2);
}

TEST_CASE("gak is the normalized sum over all alignments") {
  for (const std::size_t channels : {1u, 3u})
    for (const char* sigma : {"0.5", "3"})
      for (const std::int64_t triangle : {0, 4, 100}) {
        const Layout layout = Layout::sequence(30, channels);
        const Series bases = random_walks(37, layout, 5, 1),
                     samples = random_walks(9, layout, 5, 2);
        const auto measure =
            measure_of("similarity/gak", {{"sigma", std::string(sigma)}, {"triangular", triangle}},
                       layout, rows_of(layout, bases));
        const FloatMatrix result = compare(*measure, rows_of(layout, samples).view());
        for (std::size_t i = 0; i < samples.size(); ++i)
          for (std::size_t j = 0; j < bases.size(); ++j)
            REQUIRE(result.view().row(i)[j] ==
                    doctest::Approx(
                        aligned(bases[j], samples[i], channels, std::stod(sigma), double(triangle)))
                        .epsilon(1e-5));
      }
}

TEST_CASE("gak by hand") {
  // g = exp(-1/2) between 0 and 1, and 1 on the diagonal: three paths of ones make k(b, b) = 3.
  const Layout layout = Layout::sequence(2, 1);
  const auto measure = measure_of("similarity/gak", {{"sigma", std::string("1")}}, layout,
                                  rows_of(layout, {{0, 0}}));
  const double g = std::exp(-0.5), local = g / (2 - g);
  CHECK(compare(*measure, rows_of(layout, {{1, 1}}).view()).values[0] ==
        doctest::Approx((local * local + 2 * local * local * local) / 3));
  CHECK(compare(*measure, rows_of(layout, {{0, 0}}).view()).values[0] == 1);
}

TEST_CASE("gak's matrices are positive semi-definite, for series of 1500 steps as well") {
  for (const std::size_t longest : {20u, 500u, 1500u})
    for (const auto& [sigma, triangle] : {std::pair{"auto", 0}, {"auto", 200}, {"200", 0}}) {
      const Layout layout = Layout::sequence(longest, 1);
      const FloatMatrix rows = rows_of(layout, random_walks(12, layout, longest / 2, 7));
      const auto measure = measure_of(
          "similarity/gak", {{"sigma", std::string(sigma)}, {"triangular", std::int64_t{triangle}}},
          layout, rows);
      CHECK(measure->positive_semidefinite());
      const FloatMatrix kernel = compare(*measure, rows.view());
      std::vector<double> matrix;
      for (const float value : kernel.values) {
        REQUIRE(std::isfinite(value));
        matrix.push_back(value);
      }
      for (std::size_t i = 0; i < rows.rows; ++i) CHECK(kernel.view().row(i)[i] == 1);
      const auto spectrum = numerics::symmetric_eigen(matrix, rows.rows);
      CHECK(spectrum.values.front() > -1e-4);
      // And a wide kernel's is not that by being the identity.
      if (sigma != std::string("auto")) CHECK(spectrum.values.back() > 1.5);
    }
}

TEST_CASE("gak's sigma is the median distance of steps times the root of the median length") {
  const Layout layout = Layout::sequence(4, 1);
  const auto measure =
      measure_of("similarity/gak", {}, layout, rows_of(layout, {{0, 0, 0, 0}, {3, 3, 3, 3}}));
  MemoryState state;
  measure->save(state);
  CHECK(state.number("sigma") == doctest::Approx(6));
  CHECK_THROWS_WITH_AS(measure_of("similarity/gak", {}, layout, rows_of(layout, {{1, 1}, {1, 1}})),
                       "the median distance of steps of different bases is 0, which is no width; "
                       "give sigma a number",
                       Error);
  CHECK_THROWS_AS(make_component<Similarity>("similarity/gak", {{"sigma", std::string("-1")}}),
                  Error);
  CHECK_THROWS_AS(make_component<Similarity>("similarity/gak", {{"sigma", std::string("wide")}}),
                  Error);
}

TEST_CASE("gak keeps its bits, and refuses what is no series") {
  check_bits("similarity/gak", {}, 1, 5, 1e-4);
  check_bits("similarity/gak", {{"triangular", std::int64_t{6}}}, 2, 5, 1e-4);
  check_order("similarity/gak", {{"sigma", std::string("3")}});
  check_refusals("similarity/gak", {});
}

}  // namespace
}  // namespace semblance::series::gak_test
