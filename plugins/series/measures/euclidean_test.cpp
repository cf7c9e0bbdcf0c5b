// SPDX-License-Identifier: MIT
#include "measures/elastic_testing.hpp"

namespace semblance::series::euclidean_test {
namespace {

using namespace testing;

TEST_CASE("euclidean is the root of the sum of squared differences") {
  for (const std::size_t channels : {1u, 3u})
    for (const std::size_t steps : {1u, 5u, 30u}) {
      const Layout layout = Layout::sequence(steps, channels);
      const Series bases = random_walks(37, layout, steps, 1);
      const Series samples = random_walks(5, layout, steps, 2);
      const auto measure = measure_of("similarity/euclidean", {{"as", std::string("negative")}},
                                      layout, rows_of(layout, bases));
      const FloatMatrix result = compare(*measure, rows_of(layout, samples).view());
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 37; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < bases[j].size(); ++k)
            sum += std::pow(double(bases[j][k]) - samples[i][k], 2);
          REQUIRE(result.view().row(i)[j] == doctest::Approx(-std::sqrt(sum)));
        }
    }
}

TEST_CASE("euclidean compares vectors, images and grids value by value") {
  for (const Layout& layout : {Layout::vector(24), Layout::image(3, 4, 2), Layout::grid(2, 3, 4)}) {
    FloatMatrix rows(20, 24);
    Random random(3);
    for (float& x : rows.values) x = static_cast<float>(1000 + random.normal());
    copy_rows(rows.view().rows_range(3, 1), rows.view().rows_range(17, 1));
    const auto measure =
        measure_of("similarity/euclidean", {{"as", std::string("negative")}}, layout, rows);
    const FloatMatrix result = compare(*measure, rows.view());
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 20; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 24; ++k)
          sum += std::pow(double(rows.view().row(i)[k]) - rows.view().row(j)[k], 2);
        REQUIRE(result.view().row(i)[j] == doctest::Approx(-std::sqrt(sum)));
      }
    CHECK(result.view().row(3)[17] == 0);
  }
}

TEST_CASE("euclidean refuses series of differing length, and says what to do") {
  CHECK_THROWS_WITH_AS(
      distance_of("similarity/euclidean", {}, {1, 2, 3}, {1, 2}),
      "series of 3 and of 2 steps cannot be compared step by step; make their lengths equal with "
      "feature/resample, or use a measure that warps time, such as similarity/dtw",
      Error);
}

TEST_CASE("euclidean keeps its bits, and refuses series without steps or with missing ones") {
  check_bits("similarity/euclidean", {}, 1, 24);
  check_bits("similarity/euclidean", {}, 3, 24);
  check_order("similarity/euclidean", {{"width", std::string("5")}}, 1, 24);
  const Layout layout = Layout::sequence(3, 1);
  CHECK_THROWS_AS(measure_of("similarity/euclidean", {}, layout, rows_of(layout, {{1}, {}})),
                  Error);
  const auto measure =
      measure_of("similarity/euclidean", {}, layout, rows_of(layout, {{1, 2, 3}, {1, 2, 2}}));
  CHECK_THROWS_AS(compare(*measure, rows_of(layout, {{}}).view()), Error);
  CHECK_THROWS_AS(compare(*measure, rows_of(layout, {{1, NAN, 3}}).view()), Error);
}

}  // namespace
}  // namespace semblance::series::euclidean_test
