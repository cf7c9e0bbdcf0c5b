// SPDX-License-Identifier: MIT
#include <limits>

#include "feature_testing.hpp"
#include "semblance_numerics/pooling_regions.hpp"

namespace band_pooling_test {

using namespace semblance;
using namespace semblance::testing;

namespace {
Value whole(std::int64_t x) { return x; }
}  // namespace

TEST_CASE("pooling by hand: two bands and the whole") {
  // 2x2 cells of 2 values, all of the first one negative.
  const Layout layout = Layout::grid(2, 2, 2);
  FloatMatrix grid(1, 8);
  grid.values = {-1, 2, -3, 4, -5, 1, -2, 8};
  const auto pooled = [&](const char* pool, bool all) {
    auto feature = make_component<Feature>("feature/band_pooling",
                                           {{"pool", std::string(pool)}, {"whole", all}});
    return described(*feature, layout, grid).values;
  };
  CHECK(pooled("max", false) == std::vector<float>{-1, 4, -2, 8});
  CHECK(pooled("max", true) == std::vector<float>{-1, 4, -2, 8, -1, 8});
  CHECK(pooled("sum", true) == std::vector<float>{-4, 6, -7, 9, -11, 15});
}

TEST_CASE("bands take every row of cells once, in order, and are as equal as can be") {
  for (std::size_t rows = 1; rows < 20; ++rows)
    for (std::size_t bands = 1; bands <= rows; ++bands) {
      const numerics::PoolingRegions regions{rows, bands, false};
      CHECK(regions.first_row(0) == 0);
      CHECK(regions.first_row(bands) == rows);
      for (std::size_t b = 0; b < bands; ++b) {
        const std::size_t height = regions.first_row(b + 1) - regions.first_row(b);
        CHECK((height == rows / bands || height == (rows + bands - 1) / bands));
        for (std::size_t r = regions.first_row(b); r < regions.first_row(b + 1); ++r)
          CHECK(regions.band(r) == b);
      }
    }
}

TEST_CASE("pooling equals a loop over all cells, on every thread") {
  const Layout layout = Layout::grid(7, 3, 5);
  const FloatMatrix grids = random_samples(2, layout);
  auto feature =
      make_component<Feature>("feature/band_pooling", {{"bands", whole(3)}, {"whole", true}});
  CHECK(feature->bind(layout) == Layout::vector(20));
  const FloatMatrix out = described(*feature, layout, grids);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 5; ++k) {
      std::vector<float> expected(4, -std::numeric_limits<float>::infinity());
      for (std::size_t r = 0; r < 7; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
          const float x = grids.view().row(i)[(r * 3 + c) * 5 + k];
          float& band = expected[r < 3 ? 0 : r < 5 ? 1 : 2];
          band = std::max(band, x);
          expected[3] = std::max(expected[3], x);
        }
      for (std::size_t b = 0; b < 4; ++b) CHECK(out.view().row(i)[b * 5 + k] == expected[b]);
    }
  check_rows_alone(*feature, layout);
}

TEST_CASE("more bands than rows, and what is no grid, are refused") {
  CHECK_THROWS_WITH_AS(make_component<Feature>("feature/band_pooling", {{"bands", whole(4)}})
                           ->bind(Layout::grid(3, 9, 2)),
                       doctest::Contains("3 rows of cells cannot be split into 4 bands"), Error);
  CHECK_THROWS_WITH_AS(
      make_component<Feature>("feature/band_pooling")->bind(Layout::image(3, 9, 2)),
      doctest::Contains("band_pooling needs grids"), Error);
}

}  // namespace band_pooling_test
