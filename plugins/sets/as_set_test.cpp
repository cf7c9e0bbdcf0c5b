// SPDX-License-Identifier: MIT
#include "semblance/feature.hpp"
#include "set_testing.hpp"

namespace semblance::sets::as_set_test {
namespace {

using namespace testing;

std::vector<float> as_set(double time, const Layout& layout, const std::vector<Set>& series) {
  auto feature = make_component<Feature>("feature/as_set", {{"time", time}});
  const Layout made = feature->bind(layout);
  std::vector<std::size_t> sizes;
  for (const Set& one : series) sizes.push_back(feature->values_of(one.size()));
  FloatMatrix out = FloatMatrix::ragged(made.size(), sizes);
  TestContext context;
  feature->apply(rows_of(series, layout).view(), out.view(), context);
  return out.values;
}

TEST_CASE("steps become points, with the time or without") {
  const Layout layout = Layout::sequence(3, 2);
  CHECK(as_set(0, layout, {{1, 2, 3, 4}, {5, 6}}) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(as_set(4, layout, {{1, 2, 3, 4, 5, 6}, {7, 8}}) ==
        std::vector<float>{0, 1, 2, 2, 3, 4, 4, 5, 6, 0, 7, 8});
  auto feature = make_component<Feature>("feature/as_set");
  CHECK(feature->bind(layout) == Layout::set(3, 2));
  auto timed = make_component<Feature>("feature/as_set", {{"time", 1.0}});
  CHECK(timed->bind(layout) == Layout::set(3, 3));
}

}  // namespace
}  // namespace semblance::sets::as_set_test
