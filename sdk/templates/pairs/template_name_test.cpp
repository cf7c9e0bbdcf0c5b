#include <doctest/doctest.h>

#include "semblance/pairs.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

TEST_CASE("training rows and test rows are never in one pair") {
  testing::TestContext context;
  const auto pairs =
      testing::make_component<Pairs>("pairs/template_name", {{"following", std::int64_t{2}}});
  const std::int32_t labels[] = {0, 0, 1, 1, 0};  // the last two are for testing
  const std::string classes[] = {"a", "b"};
  const PairSelection chosen = pairs->select({labels, 3, classes}, context);
  CHECK(chosen.train.expanded() == std::vector<Pair>{{0, 1, 1}, {0, 2, -1}, {1, 2, -1}});
  CHECK(chosen.test.expanded() == std::vector<Pair>{{3, 4, -1}});
}
