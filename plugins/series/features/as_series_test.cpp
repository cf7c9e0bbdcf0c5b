// SPDX-License-Identifier: MIT
#include "features/series_feature_testing.hpp"

namespace as_series_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("a vector becomes a series of its values") {
  const auto as_series =
      make_component<Feature>("feature/as_series", {{"channels", std::int64_t{2}}});
  CHECK(as_series->bind(Layout::vector(6)) == Layout::sequence(3, 2));
  FloatMatrix vectors(2, 6);
  for (std::size_t k = 0; k < 12; ++k) vectors.values[k] = float(k);
  const FloatMatrix out = made(*as_series, Layout::vector(6), vectors);
  CHECK(out.values == vectors.values);
  CHECK(out.view().ragged());
  CHECK(out.view().size(1) == 6);
}

TEST_CASE("values that are no steps, and samples that are no vectors, are refused") {
  const auto as_series =
      make_component<Feature>("feature/as_series", {{"channels", std::int64_t{4}}});
  CHECK_THROWS_WITH_AS(as_series->bind(Layout::vector(6)),
                       "vectors of 6 values are no series of 4 channels; set 'channels' to a "
                       "divisor of 6",
                       Error);
  CHECK_THROWS_WITH_AS(as_series->bind(Layout::sequence(6, 1)), doctest::Contains("a sequence of"),
                       Error);
}

}  // namespace as_series_test
