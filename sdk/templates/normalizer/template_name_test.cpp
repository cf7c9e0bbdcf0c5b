#include <doctest/doctest.h>

#include "semblance/normalizer.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("the largest magnitude of each column becomes 1, and columns of zeros stay") {
  testing::TestContext context;
  const auto normalizer = testing::make_component<Normalizer>("normalizer/template_name");
  FloatMatrix values(3, 2);
  values.values = {1, 0, -4, 0, 2, 0};
  const testing::MemoryRows rows(values);
  const std::int32_t labels[] = {0, 1, 0};
  const std::string classes[] = {"a", "b"};
  normalizer->bind(Layout::vector(2));
  normalizer->fit({rows, Layout::vector(2), labels, classes}, context);

  FloatMatrix result(3, 2);
  normalizer->apply(values.view(), result.view(), context);
  CHECK(result.values == std::vector<float>{0.25, 0, -1, 0, 0.5, 0});
}
