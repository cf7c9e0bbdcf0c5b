#include <doctest/doctest.h>

#include "semblance/plugin_testing.hpp"
#include "semblance/similarity.hpp"

using namespace semblance;

TEST_CASE("it is 1 where sample and basis are equal, and 1/2 at the distance width") {
  testing::TestContext context;
  const auto measure =
      testing::make_component<Similarity>("similarity/template_name", {{"width", 5.0}});
  measure->bind(Layout::vector(2));
  const float basis[] = {0, 0};
  const std::int64_t row[] = {0};
  measure->set_bases({basis, 1, 2, 2}, row, context);

  const float samples[] = {0, 0, 3, 4};  // the second at the distance 5
  float values[2];
  measure->apply({samples, 2, 2, 2}, {values, 2, 1, 1}, context);
  CHECK(values[0] == doctest::Approx(1));
  CHECK(values[1] == doctest::Approx(0.5));

  // There, ds/dx = -2 x / 5^2 / 2^2.
  double value, gradient[2];
  measure->compare_with_gradient({basis, 1, 2, 2}, {samples + 2, 1, 2, 2}, &value, gradient);
  CHECK(value == doctest::Approx(0.5));
  CHECK(gradient[0] == doctest::Approx(-0.06));
  CHECK(gradient[1] == doctest::Approx(-0.08));
}

TEST_CASE("a width of zero is refused") {
  CHECK_THROWS_AS(testing::make_component<Similarity>("similarity/template_name", {{"width", 0.0}}),
                  Error);
}
