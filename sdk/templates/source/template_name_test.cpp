#include <doctest/doctest.h>

#include <cmath>

#include "semblance/plugin_testing.hpp"
#include "semblance/source.hpp"

using namespace semblance;

TEST_CASE("the classes take turns, and without noise all points are in the unit circle") {
  testing::TestContext context;
  const auto source = testing::make_component<Source>(
      "source/template_name",
      {{"train", std::int64_t{50}}, {"test", std::int64_t{10}}, {"noise", 0.0}});
  const auto data = source->open(context);
  CHECK(data->outline().rows() == 60);
  CHECK(data->labels()[0] == 0);
  CHECK(data->labels()[59] == 1);
  FloatMatrix points(60, 2);
  data->read(0, points.view());
  for (std::size_t i = 0; i < 60; ++i)
    CHECK(std::hypot(points.view().row(i)[0], points.view().row(i)[1]) <= 1.0001);
}
