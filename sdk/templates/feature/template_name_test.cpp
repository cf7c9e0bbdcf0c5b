#include <doctest/doctest.h>

#include "semblance/feature.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("it takes the root of the magnitude and keeps the sign and the layout") {
  testing::TestContext context;
  const auto feature = testing::make_component<Feature>("feature/template_name", {{"power", 0.5}});
  CHECK(feature->bind(Layout::grid(1, 1, 3)) == Layout::grid(1, 1, 3));
  const float sample[] = {9, 0, -16};
  float values[3];
  feature->apply({sample, 1, 3, 3}, {values, 1, 3, 3}, context);
  CHECK(values[0] == 3);
  CHECK(values[1] == 0);
  CHECK(values[2] == -4);
}

TEST_CASE("powers above 1 are refused") {
  CHECK_THROWS_AS(testing::make_component<Feature>("feature/template_name", {{"power", 2.0}}),
                  Error);
}
