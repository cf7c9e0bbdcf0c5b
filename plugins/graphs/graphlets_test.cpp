// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "graph_testing.hpp"
#include "semblance/feature.hpp"

namespace graphlets_test {

using namespace semblance;
using namespace semblance::testing;

using Adjacency = std::vector<std::vector<bool>>;

/// The column of an induced subgraph by its numbers of edges and its degrees: the definition.
std::size_t column_of(const Adjacency& joined, const std::vector<std::size_t>& nodes) {
  std::vector<std::size_t> degrees;
  std::size_t edges = 0;
  for (const std::size_t u : nodes) {
    std::size_t degree = 0;
    for (const std::size_t v : nodes) degree += joined[u][v] ? 1 : 0;
    degrees.push_back(degree);
    edges += degree;
  }
  edges /= 2;
  if (nodes.size() == 3) return edges;
  const std::size_t most = std::ranges::max(degrees);
  const bool lonely = std::ranges::find(degrees, std::size_t{0}) != degrees.end();
  switch (edges) {
    case 2:
      return most == 1 ? 2 : 3;
    case 3:
      return lonely ? 4 : most == 3 ? 5 : 6;
    case 4:
      return most == 2 ? 7 : 8;
    case 5:
      return 9;
    case 6:
      return 10;
    default:
      return edges;
  }
}

std::vector<float> brute_force(const SampleGraph& graph, std::size_t size) {
  Adjacency joined(graph.nodes, std::vector<bool>(graph.nodes));
  for (const GraphEdge& edge : graph.edges)
    if (edge.from != edge.to) joined[edge.from][edge.to] = joined[edge.to][edge.from] = true;
  std::vector<float> counts(size == 3 ? 4 : 11);
  for (std::size_t bits = 0; bits < (std::size_t{1} << graph.nodes); ++bits) {
    std::vector<std::size_t> nodes;
    for (std::size_t v = 0; v < graph.nodes; ++v)
      if ((bits >> v & 1) != 0) nodes.push_back(v);
    if (nodes.size() == size) ++counts[column_of(joined, nodes)];
  }
  return counts;
}

std::vector<float> counted(const SampleGraph& graph, const GraphShape& shape, std::int64_t nodes,
                           bool connected, const char* values = "counts") {
  const auto feature = make_component<Feature>(
      "feature/graphlets",
      {{"nodes", nodes}, {"connected", connected}, {"values", std::string(values)}});
  const Layout output = feature->bind(Layout::graph(shape));
  FloatMatrix out(1, output.size());
  TestContext context;
  feature->apply(rows_of({graph}, Layout::graph(shape)).view(), out.view(), context);
  return out.values;
}

/// Graphs of 1 to 8 nodes whose pairs are joined with a probability from 0 to 1.
std::vector<SampleGraph> sparse_to_full(bool directed) {
  Random random(3);
  std::vector<SampleGraph> graphs;
  for (std::size_t i = 0; i < 120; ++i) {
    SampleGraph graph{.nodes = 1 + i % 8};
    const double share = static_cast<double>(i) / 119;
    for (std::uint32_t u = 0; u < graph.nodes; ++u)
      for (std::uint32_t v = directed ? 0 : u; v < graph.nodes; ++v)
        if (random.uniform() < share) graph.edges.push_back({u, v, 0});
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

TEST_CASE("graphlets are counted as by looking at every set of nodes") {
  for (const bool directed : {false, true}) {
    const GraphShape shape{.nodes = 8, .edges = 64, .directed = directed};
    for (const SampleGraph& graph : sparse_to_full(directed))
      for (const std::int64_t nodes : {3, 4}) {
        const std::vector<float> all = brute_force(graph, static_cast<std::size_t>(nodes));
        CHECK(counted(graph, shape, nodes, false) == all);
        const std::ptrdiff_t apart = nodes == 3 ? 2 : 5;
        CHECK(counted(graph, shape, nodes, true) ==
              std::vector<float>(all.begin() + apart, all.end()));
      }
  }
}

TEST_CASE("shares have the sum 1, or are zeros") {
  const GraphShape shape{.nodes = 4, .edges = 4};
  const SampleGraph chain{.nodes = 3, .edges = {{0, 1}, {1, 2}}};
  CHECK(counted(chain, shape, 3, true, "shares") == std::vector<float>{1, 0});
  CHECK(counted(chain, shape, 4, true, "shares") == std::vector<float>(6, 0));
}

}  // namespace graphlets_test
