// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "assignment.hpp"
#include "graph_testing.hpp"
#include "semblance/similarity_testing.hpp"

namespace graph_edit_test {

using namespace semblance;
using namespace semblance::testing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t none = 1000;

struct Costs {
  double node = 1, node_label = 1, attributes = 0, edge = 1, edge_label = 1;
};

/// Calls visit(to) for every way to give some of n things different partners among m; the others
/// have `none`.
void each_map(std::size_t n, std::size_t m,
              const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> to;
  std::vector<bool> taken(m);
  const std::function<void()> next = [&] {
    if (to.size() == n) {
      visit(to);
      return;
    }
    to.push_back(none);
    next();
    to.pop_back();
    for (std::size_t j = 0; j < m; ++j) {
      if (taken[j]) continue;
      taken[j] = true;
      to.push_back(j);
      next();
      to.pop_back();
      taken[j] = false;
    }
  };
  next();
}

/// The least cost of turning the things of `a` into those of `b`, with all assignments tried.
template <class Thing>
double least_cost(const std::vector<Thing>& a, const std::vector<Thing>& b,
                  const std::function<double(const Thing&)>& alone,
                  const std::function<double(const Thing&, const Thing&)>& pair) {
  double least = infinity;
  each_map(a.size(), b.size(), [&](const std::vector<std::size_t>& to) {
    double cost = 0;
    std::vector<bool> taken(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      cost += to[i] == none ? alone(a[i]) : pair(a[i], b[to[i]]);
      if (to[i] != none) taken[to[i]] = true;
    }
    for (std::size_t j = 0; j < b.size(); ++j)
      if (!taken[j]) cost += alone(b[j]);
    least = std::min(least, cost);
  });
  return least;
}

double cost_of_edges(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                     const Costs& costs) {
  return least_cost<std::uint32_t>(
      a, b, [&](const std::uint32_t&) { return costs.edge; },
      [&](const std::uint32_t& x, const std::uint32_t& y) {
        return x == y ? 0 : costs.edge_label;
      });
}

/// Labels of the edges between two nodes, or from one to the other.
std::vector<std::uint32_t> between(const SampleGraph& graph, std::size_t u, std::size_t v,
                                   bool directed) {
  std::vector<std::uint32_t> labels;
  for (const GraphEdge& edge : graph.edges)
    if ((edge.from == u && edge.to == v) || (!directed && edge.from == v && edge.to == u))
      labels.push_back(edge.label);
  return labels;
}

double cost_of_nodes(const SampleGraph& a, std::size_t u, const SampleGraph& b, std::size_t v,
                     const Costs& costs) {
  double cost =
      a.node_labels.empty() || a.node_labels[u] == b.node_labels[v] ? 0 : costs.node_label;
  double square = 0;
  const std::size_t count = a.node_attributes.size() / a.nodes;
  for (std::size_t k = 0; k < count; ++k) {
    const double difference =
        double(a.node_attributes[u * count + k]) - b.node_attributes[v * count + k];
    square += difference * difference;
  }
  return cost + costs.attributes * std::sqrt(square);
}

/// The edit distance, and the lower bound, each with all assignments of nodes tried.
double edit_distance(const SampleGraph& a, const SampleGraph& b, bool directed,
                     const Costs& costs) {
  double least = infinity;
  each_map(a.nodes, b.nodes, [&](const std::vector<std::size_t>& to) {
    double cost = 0;
    std::vector<std::size_t> from(b.nodes, none);
    for (std::size_t u = 0; u < a.nodes; ++u) {
      cost += to[u] == none ? costs.node : cost_of_nodes(a, u, b, to[u], costs);
      if (to[u] != none) from[to[u]] = u;
    }
    cost += costs.node * static_cast<double>(std::ranges::count(from, none));
    for (std::size_t u = 0; u < a.nodes; ++u)
      for (std::size_t v = directed ? 0 : u; v < a.nodes; ++v)
        cost += cost_of_edges(between(a, u, v, directed),
                              to[u] == none || to[v] == none ? std::vector<std::uint32_t>{}
                                                             : between(b, to[u], to[v], directed),
                              costs);
    for (std::size_t u = 0; u < b.nodes; ++u)
      for (std::size_t v = directed ? 0 : u; v < b.nodes; ++v)
        if (from[u] == none || from[v] == none)
          cost += cost_of_edges({}, between(b, u, v, directed), costs);
    least = std::min(least, cost);
  });
  return least;
}

double lower_bound(const SampleGraph& a, const SampleGraph& b, bool directed, const Costs& costs) {
  struct Star {
    const SampleGraph* graph;
    std::size_t node;
    std::vector<std::uint32_t> out, in, loops;
  };
  const auto stars = [&](const SampleGraph& graph) {
    std::vector<Star> made;
    for (std::size_t u = 0; u < graph.nodes; ++u) {
      Star star{&graph, u, {}, {}, between(graph, u, u, true)};
      for (std::size_t v = 0; v < graph.nodes; ++v) {
        if (v == u) continue;
        for (const std::uint32_t label : between(graph, u, v, directed)) star.out.push_back(label);
        if (!directed) continue;
        for (const std::uint32_t label : between(graph, v, u, true)) star.in.push_back(label);
      }
      made.push_back(star);
    }
    return made;
  };
  return least_cost<Star>(
      stars(a), stars(b),
      [&](const Star& star) {
        return costs.node +
               costs.edge * (static_cast<double>(star.out.size() + star.in.size()) / 2 +
                             static_cast<double>(star.loops.size()));
      },
      [&](const Star& x, const Star& y) {
        return cost_of_nodes(*x.graph, x.node, *y.graph, y.node, costs) +
               (cost_of_edges(x.out, y.out, costs) + cost_of_edges(x.in, y.in, costs)) / 2 +
               cost_of_edges(x.loops, y.loops, costs);
      });
}

Parameters parameters(const char* bound, const Costs& costs) {
  return {{"bound", std::string(bound)},    {"as", std::string("negative")},  {"node", costs.node},
          {"node_label", costs.node_label}, {"attributes", costs.attributes}, {"edge", costs.edge},
          {"edge_label", costs.edge_label}};
}

FloatMatrix bounds(const char* bound, const std::vector<SampleGraph>& graphs,
                   const GraphShape& shape, const Costs& costs) {
  const Layout layout = Layout::graph(shape);
  const FloatMatrix rows = rows_of(graphs, layout);
  return measured("similarity/graph_edit", parameters(bound, costs), layout, rows.view(),
                  rows.view());
}

/// Graphs of 1 to 5 nodes and few edges, whose assignments can all be tried.
std::vector<SampleGraph> small_graphs(const GraphShape& shape) {
  Random random(11);
  std::vector<SampleGraph> graphs;
  while (graphs.size() < 14) {
    SampleGraph graph = drawn_graph(1 + random.below(5), shape, random);
    if (graph.edges.size() > 8) continue;
    for (std::size_t k = 0; k < graph.nodes * shape.node_attributes; ++k)
      graph.node_attributes.push_back(static_cast<float>(random.normal()));
    graphs.push_back(std::move(graph));
  }
  // Parallel edges, of one label and of two.
  graphs.push_back(graphs.front());
  graphs.back().edges.push_back({0, 0, 0});
  graphs.back().edges.push_back({0, 0, 0});
  return graphs;
}

void check_against_all_assignments(const GraphShape& shape, const Costs& costs) {
  const std::vector<SampleGraph> graphs = small_graphs(shape);
  const FloatMatrix lower = bounds("lower", graphs, shape, costs),
                    upper = bounds("upper", graphs, shape, costs);
  std::size_t exact = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = 0; j < graphs.size(); ++j) {
      const double least = lower_bound(graphs[j], graphs[i], shape.directed, costs);
      const double distance = edit_distance(graphs[j], graphs[i], shape.directed, costs);
      const double above = -upper.view().row(i)[j];
      CHECK(-lower.view().row(i)[j] == doctest::Approx(least));
      CHECK(least <= distance + 1e-5);
      CHECK(above >= distance - 1e-5);
      CHECK(lower.view().row(i)[j] == lower.view().row(j)[i]);
      CHECK(upper.view().row(i)[j] == upper.view().row(j)[i]);
      exact += above <= distance + 1e-5 ? 1 : 0;
    }
  CHECK(exact * 2 > graphs.size() * graphs.size());
}

const GraphShape labelled{
    .nodes = 5, .edges = 25, .node_labels = {"a", "b"}, .edge_labels = {"x", "y"}};

TEST_CASE("the lower bound is the least of all assignments, and the edit distance is between") {
  GraphShape shape = labelled;
  check_against_all_assignments(shape, {});
  check_against_all_assignments(shape, {0.4, 1.3, 0, 0.7, 0.2});
  check_against_all_assignments(shape, {2, 5, 0, 0.1, 3});
  check_against_all_assignments(shape, {1, 0, 0, 0, 0});
  shape.node_attributes = 2;
  check_against_all_assignments(shape, {1, 0.5, 0.3, 1, 1});
  shape.directed = true;
  check_against_all_assignments(shape, {1, 0.5, 0.3, 0.6, 0.7});
  check_against_all_assignments({.nodes = 5, .edges = 25}, {});
  check_against_all_assignments({.nodes = 5, .edges = 25, .directed = true}, {});
}

TEST_CASE("bounds by hand") {
  const GraphShape shape{.nodes = 3, .edges = 3};
  const SampleGraph triangle{.nodes = 3, .edges = {{0, 1}, {1, 2}, {2, 0}}},
      chain{.nodes = 3, .edges = {{0, 1}, {1, 2}}}, node{.nodes = 1};
  const FloatMatrix lower = bounds("lower", {triangle, chain, node}, shape, {}),
                    upper = bounds("upper", {triangle, chain, node}, shape, {});
  CHECK(lower.values == std::vector<float>{0, -1, -5, -1, 0, -4, -5, -4, 0});
  CHECK(upper.values == lower.values);
}

TEST_CASE("the lower bound is the same for any order of nodes, and 0 for the same graph") {
  Random random(2);
  const GraphShape shape{
      .nodes = 20, .edges = 400, .node_labels = {"a", "b"}, .edge_labels = {"x", "y"}};
  const SampleGraph graph = drawn_graph(20, shape, random), other = drawn_graph(17, shape, random);
  std::vector<std::uint32_t> places(graph.nodes);
  std::iota(places.begin(), places.end(), 0U);
  random.shuffle(std::span(places));
  SampleGraph turned = graph;
  for (std::size_t v = 0; v < graph.nodes; ++v)
    turned.node_labels[places[v]] = graph.node_labels[v];
  for (GraphEdge& edge : turned.edges) edge = {places[edge.from], places[edge.to], edge.label};
  std::ranges::reverse(turned.edges);
  const FloatMatrix lower = bounds("lower", {graph, turned, other}, shape, {});
  CHECK(lower.values[1] == 0);
  CHECK(lower.values[2] == lower.values[5]);
  CHECK(lower.values[2] < 0);
}

TEST_CASE("assignments are the cheapest of all permutations") {
  Random random(8);
  for (int round = 0; round < 200; ++round) {
    const std::size_t columns = 1 + random.below(6), rows = 1 + random.below(columns);
    std::vector<double> costs(rows * columns);
    const bool whole = round % 2 == 0;
    for (double& cost : costs)
      cost = whole ? static_cast<double>(random.below(4)) - 1 : random.normal();
    std::vector<std::size_t> order(columns);
    std::iota(order.begin(), order.end(), std::size_t{0});
    double least = infinity;
    do {
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += costs[i * columns + order[i]];
      least = std::min(least, sum);
    } while (std::ranges::next_permutation(order).found);
    const auto found = graphs::least_assignment(costs, rows, columns);
    double sum = 0;
    std::vector<bool> taken(columns);
    for (std::size_t i = 0; i < rows; ++i) {
      REQUIRE(found[i] < columns);
      CHECK(!taken[found[i]]);
      taken[found[i]] = true;
      sum += costs[i * columns + found[i]];
    }
    CHECK(sum == doctest::Approx(least));
  }
}

TEST_CASE("graph_edit keeps the contract of similarities") {
  const GraphShape shape{
      .nodes = 7, .edges = 49, .node_labels = {"a", "b"}, .edge_labels = {"x", "y"}};
  const Layout layout = Layout::graph(shape);
  const FloatMatrix bases = rows_of(drawn_graphs(30, shape), layout);
  std::vector<SampleGraph> graphs = drawn_graphs(50, shape);
  graphs.erase(graphs.begin(), graphs.begin() + 30);
  const FloatMatrix samples = rows_of(graphs, layout);
  for (const char* bound : {"lower", "upper"}) {
    const auto measure = check_same_bits("similarity/graph_edit", {{"bound", std::string(bound)}},
                                         layout, bases.view(), samples.view());
    const FloatMatrix among = compared(*measure, bases.view());
    const auto self = compared_with_themselves(*measure, bases.view());
    for (std::size_t i = 0; i < bases.rows; ++i) CHECK(self[i] == among.view().row(i)[i]);
  }
}

TEST_CASE("a row that is no graph is refused by its place") {
  const Layout layout = Layout::graph(labelled);
  const FloatMatrix bases = rows_of(small_graphs(labelled), layout);
  const auto measure = make_component<Similarity>("similarity/graph_edit");
  measure->bind(layout);
  TestContext context;
  measure->set_bases(bases.view(), {}, context);
  FloatMatrix wrong = rows_of({small_graphs(labelled).front()}, layout);
  wrong.values[0] = 3.5F;
  CHECK_THROWS_WITH_AS(compared(*measure, wrong.view()),
                       doctest::Contains("row 0 of the block: it is no graph"), Error);
  CHECK_THROWS_WITH_AS(measure->set_bases(wrong.view(), {}, context),
                       doctest::Contains("basis 0: it is no graph"), Error);
}

}  // namespace graph_edit_test
