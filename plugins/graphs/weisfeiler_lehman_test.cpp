// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
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

/// The graph of GraKeL's first tests (grakel/tests/test_graph_kernels.py at commit 0316518d); the
/// weights of its edges are without effect on this kernel.
SampleGraph published_graph() {
  enum : std::uint32_t { banana, cherry, peach, lime };
  return {7,
          {banana, cherry, banana, cherry, peach, cherry, lime},
          {{0, 1}, {0, 2}, {0, 3}, {0, 5}, {1, 4}, {1, 5}, {1, 6}, {2, 3}, {2, 6}, {4, 5}, {4, 6}},
          {},
          {}};
}

// Published there: 15 for equal labels, 50 for these and five refinements.
TEST_CASE("a graph's kernel with itself is the one that GraKeL publishes") {
  const Layout layout = Layout::graph(
      {.nodes = 7, .edges = 11, .node_labels = {"banana", "cherry", "peach", "lime"}});
  const FloatMatrix in = rows_of({published_graph(), published_graph()}, layout);
  for (const auto& [refinements, published] : {std::pair{0, 15}, {5, 50}}) {
    const auto normalizer =
        make_component<Normalizer>("normalizer/weisfeiler_lehman",
                                   {{"unit_length", false}, {"depth", std::int64_t{refinements}}});
    const Layout output = normalizer->bind(layout);
    fit(*normalizer, in, layout);
    const FloatMatrix rows = sparse_rows(*normalizer, output, in);
    CHECK(product(rows.view(), 0, rows.view(), 0) == published);
    CHECK(product(rows.view(), 0, rows.view(), 1) == published);
  }
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

TEST_CASE("new graphs have the normalized kernel with training graphs") {
  GraphShape any = labelled;
  any.node_labels = {"a", "b", "new", "newer"};
  any.edge_labels = {"x", "y", "z"};
  std::vector<SampleGraph> graphs = drawn_graphs(15, labelled);
  const Rows rows = learned(graphs, Layout::graph(labelled), {});
  for (SampleGraph& graph : drawn_graphs(40, any)) graphs.push_back(std::move(graph));
  graphs.push_back({2, {2, 3}, {{0, 1, 2}}, {}, {}});
  const FloatMatrix in = rows_of(graphs, Layout::graph(labelled));
  const FloatMatrix all = sparse_rows(*rows.normalizer, rows.output, in);
  std::vector<std::map<std::string, double>> plain;
  for (const SampleGraph& graph : graphs) plain.push_back(spelled(graph, any));
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < 15; ++j)
      CHECK(product(all.view(), i, all.view(), j) ==
            doctest::Approx(kernel(plain[i], plain[j]) /
                            std::sqrt(kernel(plain[i], plain[i]) * kernel(plain[j], plain[j])))
                .epsilon(1e-6));
  std::vector<std::size_t> empty;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    if (all.view().size(i) == 0) empty.push_back(i);
  CHECK(unknown_rows(*rows.normalizer, rows.output, in) == empty);
  CHECK(empty.back() == 55);
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

const GraphShape attributed{
    .nodes = 6, .edges = 36, .node_attributes = 2, .node_labels = {"a", "b"}};

std::vector<SampleGraph> attributed_graphs(std::size_t count) {
  Random random(4);
  std::vector<SampleGraph> graphs;
  for (std::size_t i = 0; i < count; ++i) {
    SampleGraph graph = drawn_graph(1 + random.below(6), attributed, random);
    for (std::size_t v = 0; v < graph.nodes; ++v) {
      graph.node_attributes.push_back(static_cast<float>(1000 + 30 * random.normal()));
      graph.node_attributes.push_back(7);  // constant: without effect
    }
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

/// Attributes as labels: those of the bins that a division puts the nodes into.
std::map<std::string, double> spelled_by_bins(const std::vector<SampleGraph>& graphs,
                                              std::size_t of, const StateReader& state,
                                              double width) {
  const auto directions = state.doubles("directions"), shifts = state.doubles("shifts"),
             means = state.doubles("attribute_means"), scales = state.doubles("attribute_scales");
  std::map<std::string, double> all;
  GraphShape shape = attributed;
  for (std::size_t division = 0; division < shifts.size(); ++division) {
    SampleGraph graph = graphs[of];
    for (std::size_t v = 0; v < graph.nodes; ++v) {
      double place = shifts[division];
      for (std::size_t k = 0; k < 2; ++k)
        place += directions[2 * division + k] * (graph.node_attributes[2 * v + k] - means[k]) *
                 scales[k] / width;
      graph.node_labels[v] += 2 * static_cast<std::uint32_t>(std::floor(place) + 1000);
    }
    for (const auto& [colour, count] : spelled(graph, shape))
      all[std::to_string(division) + "/" + colour] = count;
  }
  return all;
}

TEST_CASE("with attributes, labels are divided by bins, several times") {
  const std::vector<SampleGraph> graphs = attributed_graphs(25);
  const double width = 0.7;
  const Rows rows = learned(graphs, Layout::graph(attributed),
                            {{"unit_length", false},
                             {"attributes", std::string("bins")},
                             {"bin_width", width},
                             {"repeats", std::int64_t{3}}});
  MemoryState state;
  rows.normalizer->save(state);
  const auto means = state.doubles("attribute_means"), scales = state.doubles("attribute_scales");
  double sum = 0, count = 0, squares = 0;
  for (const SampleGraph& graph : graphs)
    for (std::size_t v = 0; v < graph.nodes; ++v, ++count) sum += graph.node_attributes[2 * v];
  for (const SampleGraph& graph : graphs)
    for (std::size_t v = 0; v < graph.nodes; ++v)
      squares += std::pow(graph.node_attributes[2 * v] - sum / count, 2);
  CHECK(means[0] == doctest::Approx(sum / count));
  CHECK(means[1] == 7);
  CHECK(scales[0] == doctest::Approx(1 / std::sqrt(squares / count)));
  CHECK(scales[1] == 0);
  std::vector<std::map<std::string, double>> plain;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    plain.push_back(spelled_by_bins(graphs, i, state, width));
  const MatrixView view = rows.train.view();
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < graphs.size(); ++j)
      CHECK(product(view, i, view, j) == kernel(plain[i], plain[j]));
}

TEST_CASE("bins are the same after loading, and drawn from the seed") {
  const Layout layout = Layout::graph(attributed);
  const FloatMatrix in = rows_of(attributed_graphs(300), layout);
  const Parameters parameters = {{"attributes", std::string("bins")}, {"depth", depth}};
  const auto one = make_component<Normalizer>("normalizer/weisfeiler_lehman", parameters),
             loaded = make_component<Normalizer>("normalizer/weisfeiler_lehman", parameters);
  const Layout output = one->bind(layout);
  loaded->bind(layout);
  fit(*one, in, layout, 2);
  MemoryState state;
  one->save(state);
  TestContext context;
  loaded->load(state, context);
  const FloatMatrix expected = sparse_rows(*one, output, in);
  CHECK(sparse_rows(*loaded, output, in).columns == expected.columns);
  CHECK(sparse_rows(*loaded, output, in).values == expected.values);
  MemoryState again;
  fit(*one, in, layout, 1);
  one->save(again);
  CHECK(again.integers("colours") == state.integers("colours"));
}

TEST_CASE("bins need attributes that are finite") {
  const auto normalizer = make_component<Normalizer>("normalizer/weisfeiler_lehman",
                                                     {{"attributes", std::string("bins")}});
  CHECK_THROWS_WITH_AS(normalizer->bind(Layout::graph(labelled)),
                       "'attributes: bins' needs nodes with attributes, but these have none; omit "
                       "it",
                       Error);
  const Layout layout = Layout::graph(attributed);
  normalizer->bind(layout);
  std::vector<SampleGraph> graphs = attributed_graphs(4);
  graphs[2].node_attributes[1] = NAN;
  CHECK_THROWS_WITH_AS(fit(*normalizer, rows_of(graphs, layout), layout),
                       doctest::Contains("training row 2: a node has an attribute that is not a "
                                         "finite number"),
                       Error);
}

}  // namespace weisfeiler_lehman_test
