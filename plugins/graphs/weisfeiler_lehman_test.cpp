// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "graph_testing.hpp"

namespace weisfeiler_lehman_test {

using namespace semblance;
using namespace semblance::testing;

constexpr std::int64_t depth = 3;

/// The colours of a graph's nodes in all refinements, each spelled out: the definition.
std::map<std::string, double> spelled(const SampleGraph& graph, const GraphShape& shape,
                                      bool edge_labels = true) {
  std::vector<std::string> colours(graph.nodes);
  for (std::size_t v = 0; v < graph.nodes; ++v)
    colours[v] = shape.node_labels.empty() ? "*" : std::to_string(graph.node_labels[v]);
  std::map<std::string, double> counts;
  for (std::int64_t d = 0;; ++d) {
    for (const std::string& colour : colours) ++counts[std::to_string(d) + ":" + colour];
    if (d == depth) return counts;
    std::vector<std::string> next(graph.nodes);
    for (std::size_t v = 0; v < graph.nodes; ++v) {
      std::vector<std::string> after, before;
      for (const GraphEdge& edge : graph.edges) {
        const std::string label = edge_labels ? std::to_string(edge.label) + "-" : "";
        if (edge.from == v) after.push_back(label + colours[edge.to]);
        if (edge.to == v && (shape.directed || edge.from != v))
          (shape.directed ? before : after).push_back(label + colours[edge.from]);
      }
      std::ranges::sort(after);
      std::ranges::sort(before);
      next[v] = "(" + colours[v];
      for (const auto& neighbour : after) next[v] += ">" + neighbour;
      for (const auto& neighbour : before) next[v] += "<" + neighbour;
      next[v] += ")";
    }
    colours = next;
  }
}

double kernel(const std::map<std::string, double>& a, const std::map<std::string, double>& b,
              bool least = false) {
  double sum = 0;
  for (const auto& [colour, count] : a) {
    const auto found = b.find(colour);
    const double other = found == b.end() ? 0 : found->second;
    sum += least ? std::min(count, other) : count * other;
  }
  return sum;
}

struct Rows {
  std::unique_ptr<Normalizer> normalizer;
  Layout output;
  FloatMatrix train;
};

Rows learned(const std::vector<SampleGraph>& graphs, const Layout& layout, Parameters parameters) {
  parameters.emplace_back("depth", depth);
  Rows rows{make_component<Normalizer>("normalizer/weisfeiler_lehman", parameters), {}, {}};
  rows.output = rows.normalizer->bind(layout);
  const FloatMatrix in = rows_of(graphs, layout);
  fit(*rows.normalizer, in, layout);
  rows.train = sparse_rows(*rows.normalizer, rows.output, in);
  return rows;
}

void check_against_definition(const GraphShape& shape, bool edge_labels) {
  const std::vector<SampleGraph> graphs = drawn_graphs(40, shape);
  const Rows rows =
      learned(graphs, Layout::graph(shape), {{"unit_length", false}, {"edge_labels", edge_labels}});
  std::vector<std::map<std::string, double>> plain;
  for (const SampleGraph& graph : graphs) plain.push_back(spelled(graph, shape, edge_labels));
  const MatrixView view = rows.train.view();
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < graphs.size(); ++j) {
      CHECK(product(view, i, view, j) == kernel(plain[i], plain[j]));
      CHECK(product(view, i, view, j, true) == kernel(plain[i], plain[j], true));
    }
}

const GraphShape labelled{
    .nodes = 7, .edges = 49, .node_labels = {"a", "b"}, .edge_labels = {"x", "y"}};

TEST_CASE("inner products and intersections are those of the spelled-out colours") {
  GraphShape shape = labelled;
  check_against_definition(shape, true);
  check_against_definition(shape, false);
  shape.directed = true;
  check_against_definition(shape, true);
  check_against_definition({.nodes = 7, .edges = 49}, true);
  check_against_definition({.nodes = 7, .edges = 49, .directed = true}, true);
}

TEST_CASE("a graph's intersection with itself is its number of nodes times that of refinements") {
  const std::vector<SampleGraph> graphs = drawn_graphs(20, labelled);
  const Rows rows = learned(graphs, Layout::graph(labelled), {{"unit_length", false}});
  for (std::size_t i = 0; i < graphs.size(); ++i)
    CHECK(product(rows.train.view(), i, rows.train.view(), i, true) ==
          static_cast<double>(graphs[i].nodes) * (depth + 1));
}

TEST_CASE("new colours have no column, but count for the length of a row") {
  const Layout layout = Layout::graph({.nodes = 3, .edges = 3, .node_labels = {"C", "N"}});
  const SampleGraph chain{3, {0, 0, 0}, {{0, 1}, {1, 2}}, {}, {}};
  const SampleGraph other{2, {0, 7}, {{0, 1}}, {}, {}};  // a label that no training graph has
  const Rows rows = learned({chain}, layout, {});
  const FloatMatrix fresh = sparse_rows(*rows.normalizer, rows.output, rows_of({other}, layout));
  REQUIRE(fresh.view().size(0) == 1);
  CHECK(fresh.values[0] == doctest::Approx(1 / std::sqrt(8.0)));
  CHECK(product(rows.train.view(), 0, rows.train.view(), 0) == doctest::Approx(1));
}

TEST_CASE("binary rows have 1 for each colour") {
  const std::vector<SampleGraph> graphs = drawn_graphs(9, labelled);
  const Rows rows =
      learned(graphs, Layout::graph(labelled), {{"unit_length", false}, {"values", "binary"}});
  CHECK(std::ranges::all_of(rows.train.values, [](float x) { return x == 1; }));
  for (std::size_t i = 0; i < graphs.size(); ++i)
    CHECK(rows.train.view().size(i) == spelled(graphs[i], labelled).size());
}

TEST_CASE("columns are the same for any number of threads, and after loading") {
  const Layout layout = Layout::graph(labelled);
  const FloatMatrix in = rows_of(drawn_graphs(600, labelled), layout);
  const auto one = make_component<Normalizer>("normalizer/weisfeiler_lehman"),
             two = make_component<Normalizer>("normalizer/weisfeiler_lehman"),
             loaded = make_component<Normalizer>("normalizer/weisfeiler_lehman");
  const Layout output = one->bind(layout);
  two->bind(layout);
  loaded->bind(layout);
  fit(*one, in, layout, 1);
  fit(*two, in, layout, 2);
  MemoryState state;
  one->save(state);
  TestContext context;
  loaded->load(state, context);
  const FloatMatrix expected = sparse_rows(*one, output, in);
  CHECK(sparse_rows(*two, output, in).columns == expected.columns);
  CHECK(sparse_rows(*loaded, output, in).columns == expected.columns);
  CHECK(sparse_rows(*loaded, output, in).values == expected.values);
}

TEST_CASE("more colours than columns are refused") {
  const auto few = make_component<Normalizer>("normalizer/weisfeiler_lehman",
                                              {{"columns", std::int64_t{5}}, {"depth", depth}});
  const Layout layout = Layout::graph(labelled);
  few->bind(layout);
  CHECK_THROWS_WITH_AS(fit(*few, rows_of(drawn_graphs(3, labelled), layout), layout),
                       doctest::Contains("colours, more than columns: 5; raise columns or lower "
                                         "depth"),
                       Error);
}

}  // namespace weisfeiler_lehman_test
