#include <doctest/doctest.h>

#include "semblance/feature.hpp"
#include "semblance/graph.hpp"
#include "semblance/plugin_testing.hpp"

using namespace semblance;

namespace {

std::vector<float> counts(const SampleGraph& graph, GraphShape shape) {
  testing::TestContext context;
  const auto feature =
      testing::make_component<Feature>("feature/template_name", {{"largest", std::int64_t{2}}});
  const Layout input = Layout::graph(shape), output = feature->bind(input);
  std::vector<float> values;
  graph.write(shape, values);
  const std::size_t size[] = {values.size()};
  FloatMatrix in = FloatMatrix::ragged(input.size(), size), out(1, output.size());
  in.values = std::move(values);
  feature->apply(in.view(), out.view(), context);
  return out.values;
}

}  // namespace

TEST_CASE("nodes are counted by label and number of neighbours") {
  // A star: one C with four O; and a label that no training graph has.
  const SampleGraph star{5, {0, 1, 1, 1, 7}, {{0, 1}, {0, 2}, {0, 3}, {4, 0}}};
  const GraphShape shape{.nodes = 5, .edges = 4, .node_labels = {"C", "O"}};
  CHECK(counts(star, shape) == std::vector<float>{0, 0, 1, 0, 3, 0, 0, 1, 0});
}

TEST_CASE("directed edges count at their first end") {
  const SampleGraph pair{2, {}, {{0, 1}}};
  CHECK(counts(pair, {.nodes = 2, .edges = 1}) == std::vector<float>{0, 2, 0});
  CHECK(counts(pair, {.nodes = 2, .edges = 1, .directed = true}) == std::vector<float>{1, 1, 0});
}
