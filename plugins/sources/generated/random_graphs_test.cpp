// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "semblance/graph.hpp"
#include "tests/sources_testing.hpp"

namespace random_graphs_test {

using namespace semblance;
using namespace semblance::testing;

TEST_CASE("random graphs are connected, with the sizes, labels and classes asked for") {
  TestContext context;
  const auto source =
      make_component<Source>("source/random_graphs", {{"fewest", std::int64_t{3}},
                                                      {"most", std::int64_t{12}},
                                                      {"per_class", std::int64_t{60}},
                                                      {"labels", std::int64_t{3}}});
  const auto data = open_checked(*source, context);
  const GraphShape& shape = data->outline().layout.shape;
  CHECK(describe(data->outline().layout) ==
        "graph of up to 12 nodes and 14 edges, with 3 node labels and 2 edge labels");
  CHECK(class_counts(*data, 0, 120) == std::vector<int>{60, 60});
  std::size_t least = 12, most = 0, rings = 0;
  for (std::size_t i = 0; i < data->outline().rows(); ++i) {
    const Floats row = row_of(*data, i);
    const GraphView graph(row, shape);
    least = std::min(least, graph.nodes());
    most = std::max(most, graph.nodes());
    rings += graph.edges() + 1 - graph.nodes();
    std::vector<std::size_t> degrees(graph.nodes());
    for (std::size_t e = 0; e < graph.edges(); ++e) {
      CHECK(graph.edge(e).from < graph.edge(e).to);
      if (e + 1 < graph.nodes()) CHECK(graph.edge(e).to == e + 1);  // a tree comes first
      ++degrees[graph.edge(e).from];
      ++degrees[graph.edge(e).to];
    }
    CHECK(std::ranges::max(degrees) <= 4);
  }
  CHECK(least == 3);
  CHECK(most == 12);
  CHECK(rings > 20);
  check_seeded(*source);
}

TEST_CASE("sizes of graphs that contradict each other are refused") {
  CHECK_THROWS_WITH_AS(
      make_component<Source>("source/random_graphs", {{"fewest", std::int64_t{60}}}),
      "'fewest: 60' is more than 'most: 30'; lower it or raise 'most'", Error);
}

}  // namespace random_graphs_test
