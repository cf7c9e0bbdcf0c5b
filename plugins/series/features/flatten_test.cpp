// SPDX-License-Identifier: MIT
#include "features/series_feature_testing.hpp"

namespace flatten_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("a series becomes a vector of its values") {
  const auto flatten = make_component<Feature>("feature/flatten");
  CHECK(flatten->bind(Layout::sequence(3, 2)) == Layout::vector(6));
  CHECK(made_of(*flatten, Layout::sequence(3, 2), {1, 2, 3, 4, 5, 6}) ==
        std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("shorter series are refused unless they are padded") {
  const auto flatten = make_component<Feature>("feature/flatten");
  CHECK_THROWS_WITH_AS(made_of(*flatten, Layout::sequence(3, 2), {1, 2, 3, 4}),
                       doctest::Contains("the series has 2 steps, but a vector has room for 3"),
                       Error);
  const auto padded = make_component<Feature>("feature/flatten", {{"pad", true}, {"fill", -1.5}});
  CHECK(made_of(*padded, Layout::sequence(3, 2), {1, 2, 3, 4}) ==
        std::vector<float>{1, 2, 3, 4, -1.5f, -1.5f});
  CHECK(made_of(*padded, Layout::sequence(2, 1), {}) == std::vector<float>{-1.5f, -1.5f});
}

TEST_CASE("a new series that is longer than all training series is refused") {
  const auto padded = make_component<Feature>("feature/flatten", {{"pad", true}});
  padded->bind(Layout::sequence(2, 1));
  TestContext context;
  const float values[] = {1, 2, 3};
  const std::size_t offsets[] = {0, 3};
  FloatMatrix out(1, 2);
  CHECK_THROWS_WITH_AS(padded->apply({values, 1, 2, 0, offsets}, out.view(), context),
                       doctest::Contains("has 3 steps, but a vector has room for 2, as many as the "
                                         "longest training series"),
                       Error);
}

TEST_CASE("flatten refuses what is no series, and treats rows alone") {
  const auto padded = make_component<Feature>("feature/flatten", {{"pad", true}});
  CHECK_THROWS_WITH_AS(padded->bind(Layout::vector(3)),
                       doctest::Contains("flatten needs sequences"), Error);
  const Layout layout = Layout::sequence(50, 2);
  check_series_alone(*padded, layout, random_series(40, layout, 1));
}

}  // namespace flatten_test
