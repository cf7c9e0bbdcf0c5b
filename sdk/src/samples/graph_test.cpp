// SPDX-License-Identifier: MIT
#include "semblance/graph.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "semblance/error.hpp"

namespace graph_test {

using namespace semblance;

const GraphShape labelled = {4, 4, false, 2, 1, {"C", "N"}, {"single", "double"}};

SampleGraph triangle() {
  return {3, {0, 1, 0}, {{0, 1, 0}, {1, 2, 1}, {2, 0, 1}}, {0.5f, 1, 1.5f, 2, 2.5f, 3}, {7, 8, 9}};
}

std::string refusal(const SampleGraph& graph, const GraphShape& shape) {
  std::vector<float> row;
  try {
    graph.write(shape, row);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::vector<float>& row, const GraphShape& shape) {
  try {
    GraphView(row, shape);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::vector<std::uint32_t>> neighbours(const GraphView& graph, bool directed,
                                                   GraphNeighbours::Along along) {
  const GraphNeighbours of(graph, directed, along);
  std::vector<std::vector<std::uint32_t>> all(graph.nodes());
  for (std::size_t v = 0; v < graph.nodes(); ++v)
    for (const auto& neighbour : of.of(v)) all[v].push_back(neighbour.node);
  return all;
}

TEST_CASE("a graph is read as it was written") {
  std::vector<float> row = {99};
  triangle().write(labelled, row);
  CHECK(row.size() == 1 + 2 + 3 + 6 + 6 + 3 + 3);
  const GraphView graph(std::span<const float>(row).subspan(1), labelled);
  CHECK(graph.nodes() == 3);
  CHECK(graph.edges() == 3);
  CHECK(graph.node_label(1) == 1);
  CHECK(graph.node_attributes(2)[1] == 3);
  CHECK(graph.edge(1) == GraphEdge{1, 2, 1});
  CHECK(graph.edge_attributes(2)[0] == 9);
  CHECK(Layout::graph(labelled).size() == 2 + 4 * 3 + 4 * 4);
}

TEST_CASE("a graph without labels and edges is its number of nodes") {
  std::vector<float> row;
  SampleGraph{.nodes = 5}.write({}, row);
  CHECK(row == std::vector<float>{5, 0});
  const GraphView graph(row, {});
  CHECK(graph.nodes() == 5);
  CHECK(graph.node_label(4) == 0);
  CHECK(graph.node_attributes(4).empty());
}

TEST_CASE("an undirected edge leads both ways, a directed one along or against it") {
  const GraphShape plain;
  std::vector<float> row;
  SampleGraph{.nodes = 3, .edges = {{0, 1}, {1, 2}, {2, 2}}}.write(plain, row);
  const GraphView graph(row, plain);
  using List = std::vector<std::vector<std::uint32_t>>;
  CHECK(neighbours(graph, false, GraphNeighbours::Along::edges) == List{{1}, {0, 2}, {1, 2}});
  CHECK(neighbours(graph, true, GraphNeighbours::Along::edges) == List{{1}, {2}, {2}});
  CHECK(neighbours(graph, true, GraphNeighbours::Along::reverse) == List{{}, {0}, {1, 2}});
}

TEST_CASE("what is no graph of its shape is refused") {
  CHECK(refusal(SampleGraph{}, {}) == "it has no nodes");
  CHECK(refusal(SampleGraph{.nodes = 2, .edges = {{0, 2}}}, {}) ==
        "its edge 0 joins node 0 and node 2, but its nodes are numbered 0 to 1");
  CHECK(refusal(SampleGraph{.nodes = 2}, labelled) ==
        "it has 0 node labels, but its shape wants 2");
  SampleGraph large = triangle();
  large.node_labels[2] = 1U << 24;
  CHECK(refusal(large, labelled) ==
        "it has 16777216 as a node label; the largest number in a graph is 16777215");
  CHECK(refusal(std::vector<float>{}, {}) ==
        "it is no graph: it does not begin with the numbers of its nodes and edges");
  CHECK(refusal(std::vector<float>{0, 0}, {}) ==
        "it is no graph: it does not begin with the numbers of its nodes and edges");
  CHECK(refusal(std::vector<float>{2, 1, 0}, {}) ==
        "it is no graph: 2 nodes and 1 edges of its layout take 4 values, but it has 3");
  CHECK(refusal(std::vector<float>{2, 1, 0, 0.5f}, {}) ==
        "it is no graph: a label or an end of an edge is 0.500000");
  CHECK(refusal(std::vector<float>{2, 1, 0, 2}, {}) ==
        "its edge 0 joins node 0 and node 2, but its nodes are numbered 0 to 1");
}

TEST_CASE("a layout of graphs is described by nodes and edges") {
  CHECK(describe(Layout::graph(labelled)) ==
        "graph of up to 4 nodes and 4 edges, with 2 node labels, 2 edge labels, 2 node attributes "
        "and 1 edge attribute");
  CHECK(describe(Layout::graph({.nodes = 1, .edges = 1, .directed = true})) ==
        "graph of up to 1 node and 1 directed edge");
}

}  // namespace graph_test
