// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "graph_testing.hpp"
#include "semblance/feature.hpp"

namespace shortest_paths_test {

using namespace semblance;
using namespace semblance::testing;

using Kinds = std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, double>;

/// By Floyd and Warshall: the definition.
Kinds paths_of(const SampleGraph& graph, bool directed, std::size_t longest = 1000) {
  constexpr std::size_t none = 1000000;
  const std::size_t n = graph.nodes;
  std::vector<std::vector<std::size_t>> length(n, std::vector<std::size_t>(n, none));
  for (std::size_t v = 0; v < n; ++v) length[v][v] = 0;
  for (const GraphEdge& edge : graph.edges) {
    if (edge.from == edge.to) continue;
    length[edge.from][edge.to] = 1;
    if (!directed) length[edge.to][edge.from] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        length[i][j] = std::min(length[i][j], length[i][k] + length[k][j]);
  Kinds kinds;
  const auto label = [&](std::size_t v) {
    return graph.node_labels.empty() ? 0 : graph.node_labels[v];
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i != j && length[i][j] <= longest) ++kinds[{label(i), label(j), length[i][j]}];
  return kinds;
}

double kernel(const Kinds& a, const Kinds& b) {
  double sum = 0;
  for (const auto& [kind, count] : a)
    if (const auto found = b.find(kind); found != b.end()) sum += count * found->second;
  return sum;
}

FloatMatrix mapped(const std::vector<SampleGraph>& graphs, const GraphShape& shape,
                   const Parameters& parameters) {
  const auto feature = make_component<Feature>("feature/shortest_paths", parameters);
  const Layout layout = Layout::graph(shape), output = feature->bind(layout);
  return sparse_rows(*feature, output, rows_of(graphs, layout));
}

void check_against_definition(const GraphShape& shape, std::int64_t longest) {
  const std::vector<SampleGraph> graphs = drawn_graphs(30, shape);
  const FloatMatrix rows = mapped(graphs, shape, {{"unit_length", false}, {"longest", longest}});
  std::vector<Kinds> plain;
  for (const SampleGraph& graph : graphs)
    plain.push_back(
        paths_of(graph, shape.directed, longest == 0 ? 1000 : static_cast<std::size_t>(longest)));
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < graphs.size(); ++j)
      CHECK(product(rows.view(), i, rows.view(), j) == kernel(plain[i], plain[j]));
}

TEST_CASE("many paths of one graph are counted as the definition counts them") {
  // A cycle of 400 nodes with chords: 159,600 paths of some 3,000 kinds.
  SampleGraph graph;
  graph.nodes = 400;
  for (std::uint32_t v = 0; v < 400; ++v) {
    graph.edges.push_back({v, (v + 1) % 400});
    if (v % 23 == 0) graph.edges.push_back({v, (v * 7 + 5) % 400});
    graph.node_labels.push_back(v * v % 7 % 4);
  }
  const GraphShape shape{.nodes = 400, .edges = 500, .node_labels = {"a", "b", "c", "d"}};
  const FloatMatrix rows = mapped({graph}, shape, {{"unit_length", false}});
  std::vector<double> expected;
  for (const auto& [kind, count] : paths_of(graph, false)) expected.push_back(count);
  CHECK(std::vector<double>(rows.values.begin(), rows.values.end()) == expected);
}

TEST_CASE("a stop request is answered within a graph") {
  SampleGraph graph;
  graph.nodes = 5;
  const GraphShape shape{.nodes = 5, .edges = 1};
  const Layout layout = Layout::graph(shape);
  const auto feature = make_component<Feature>("feature/shortest_paths");
  feature->bind(layout);
  TestContext context;
  context.stop = StopReason::cancelled;
  std::vector<std::size_t> sizes(1);
  const FloatMatrix in = rows_of({graph}, layout);
  CHECK_THROWS_AS(feature->count_values(in.view(), sizes, context), Cancelled);
}

TEST_CASE("inner products are those of paths found by Floyd and Warshall") {
  const GraphShape labelled{.nodes = 7, .edges = 49, .node_labels = {"a", "b"}};
  check_against_definition(labelled, 0);
  check_against_definition(labelled, 2);
  check_against_definition({.nodes = 7, .edges = 49}, 0);
  check_against_definition({.nodes = 7, .edges = 49, .directed = true}, 0);
}

// The example in GraKeL's documentation: 12, 24, and .94280904 once both are normalized.
TEST_CASE("water and hydronium have the similarity that GraKeL documents") {
  const GraphShape shape{.nodes = 4, .edges = 3, .node_labels = {"H", "O"}};
  const SampleGraph water{3, {1, 0, 0}, {{0, 1}, {0, 2}}, {}, {}},
      hydronium{4, {1, 0, 0, 0}, {{0, 1}, {0, 2}, {0, 3}}, {}, {}};
  const FloatMatrix counts = mapped({water, hydronium}, shape, {{"unit_length", false}});
  CHECK(product(counts.view(), 0, counts.view(), 0) == 12);
  CHECK(product(counts.view(), 0, counts.view(), 1) == 24);
  const FloatMatrix units = mapped({water, hydronium}, shape, {});
  CHECK(product(units.view(), 0, units.view(), 1) == doctest::Approx(0.94280904).epsilon(1e-6));
}

/// Rows of new graphs, which are larger and have other labels, against those of training graphs.
void check_new_graphs(bool labels, bool directed, std::int64_t longest) {
  GraphShape known{.nodes = 4, .edges = 16, .directed = directed};
  GraphShape any{.nodes = 9, .edges = 81, .directed = directed};
  if (labels) {
    known.node_labels = {"a", "b"};
    any.node_labels = {"a", "b", "new", "newer"};
  }
  Random random(3);
  std::vector<SampleGraph> graphs;
  for (std::size_t i = 0; i < 60; ++i)
    graphs.push_back(i < 20 ? drawn_graph(1 + random.below(4), known, random)
                            : drawn_graph(1 + random.below(9), any, random));
  SampleGraph chain{.nodes = 9};
  for (std::uint32_t v = 0; v < 8; ++v) chain.edges.push_back({v, v + 1, 0});
  if (labels) chain.node_labels = {0, 1, 2, 3, 2, 3, 1, 0, 2};
  graphs.push_back(chain);
  const FloatMatrix rows = mapped(graphs, known, {{"longest", longest}});
  std::vector<Kinds> plain;
  for (const SampleGraph& graph : graphs)
    plain.push_back(
        paths_of(graph, directed, longest == 0 ? 1000 : static_cast<std::size_t>(longest)));
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < 20; ++j) {
      const double lengths = kernel(plain[i], plain[i]) * kernel(plain[j], plain[j]);
      const double wanted = lengths > 0 ? kernel(plain[i], plain[j]) / std::sqrt(lengths) : 0;
      CHECK(product(rows.view(), i, rows.view(), j) == doctest::Approx(wanted).epsilon(1e-6));
    }
}

TEST_CASE("new graphs have the normalized kernel with training graphs") {
  for (const bool labels : {false, true})
    for (const bool directed : {false, true})
      for (const std::int64_t longest : {0, 2, 5}) check_new_graphs(labels, directed, longest);
}

TEST_CASE("paths that training graphs lack have no column, and graphs of nothing else are noted") {
  const GraphShape shape{.nodes = 2, .edges = 1, .node_labels = {"H"}};
  const std::vector<SampleGraph> graphs = {{2, {0, 0}, {{0, 1}}, {}, {}},
                                           {2, {0, 5}, {{0, 1}}, {}, {}},
                                           {3, {0, 0, 9}, {{0, 1}, {1, 2}}, {}, {}},
                                           {1, {7}, {}, {}, {}}};
  const FloatMatrix rows = mapped(graphs, shape, {});
  CHECK(rows.view().size(1) == 0);
  // H-H occurs twice; H-9 and 9-H occur once each at lengths 1 and 2.
  REQUIRE(rows.view().size(2) == 1);
  CHECK(rows.view().row(2)[0] == doctest::Approx(2 / std::sqrt(8.0)));
  const auto feature = make_component<Feature>("feature/shortest_paths");
  const Layout layout = Layout::graph(shape), output = feature->bind(layout);
  CHECK(unknown_rows(*feature, output, rows_of(graphs, layout)) == std::vector<std::size_t>{1});
}

TEST_CASE("a graph without paths is a row of zeros") {
  CHECK(mapped({{.nodes = 3}}, {.nodes = 3, .edges = 1}, {}).values.empty());
}

}  // namespace shortest_paths_test
