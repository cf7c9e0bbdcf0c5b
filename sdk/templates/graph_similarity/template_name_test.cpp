#include <doctest/doctest.h>

#include "semblance/graph.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/similarity.hpp"

using namespace semblance;

namespace {

const GraphShape molecules = {
    .nodes = 3, .edges = 3, .node_labels = {"C", "O"}, .edge_labels = {"single", "double"}};

FloatMatrix row_of(const SampleGraph& graph, const GraphShape& shape) {
  std::vector<float> values;
  graph.write(shape, values);
  const std::size_t size[] = {values.size()};
  FloatMatrix row = FloatMatrix::ragged(Layout::graph(shape).size(), size);
  row.values = std::move(values);
  return row;
}

float similarity(const SampleGraph& b, const SampleGraph& x, bool edge_labels = true,
                 const GraphShape& shape = molecules) {
  testing::TestContext context;
  const auto measure = testing::make_component<Similarity>("similarity/template_name",
                                                           {{"edge_labels", edge_labels}});
  measure->bind(Layout::graph(shape));
  const std::int64_t row[] = {0};
  measure->set_bases(row_of(b, shape).view(), row, context);
  FloatMatrix value(1, 1);
  measure->apply(row_of(x, shape).view(), value.view(), context);
  return value.values[0];
}

// C-C-O and C-C=O; the order of nodes is without effect.
const SampleGraph ethanol{3, {0, 0, 1}, {{0, 1, 0}, {1, 2, 0}}};
const SampleGraph acetaldehyde{3, {1, 0, 0}, {{0, 1, 1}, {2, 1, 0}}};

}  // namespace

TEST_CASE("it counts the edges in common") {
  CHECK(similarity(ethanol, ethanol) == 2);
  CHECK(similarity(ethanol, acetaldehyde) == 1);
  CHECK(similarity(ethanol, acetaldehyde, false) == 2);
  CHECK(similarity(ethanol, {1, {0}}) == 0);
}

TEST_CASE("directed edges have a first and a second end") {
  GraphShape directed = molecules;
  directed.directed = true;
  const SampleGraph forward{2, {0, 1}, {{0, 1, 0}}}, backward{2, {0, 1}, {{1, 0, 0}}};
  CHECK(similarity(forward, backward) == 1);
  CHECK(similarity(forward, backward, true, directed) == 0);
}
