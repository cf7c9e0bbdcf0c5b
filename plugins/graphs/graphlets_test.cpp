// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "five_nodes.hpp"
#include "graph_testing.hpp"
#include "semblance/feature.hpp"

namespace graphlets_test {

using namespace semblance;
using namespace semblance::testing;
using graphs::five_node_kind, graphs::five_node_kinds;

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
                           bool connected, const char* values = "counts",
                           std::int64_t samples = 10000) {
  const auto feature =
      make_component<Feature>("feature/graphlets", {{"nodes", nodes},
                                                    {"connected", connected},
                                                    {"values", std::string(values)},
                                                    {"samples", samples}});
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

/// Whether graphs of five nodes are the same up to the order of nodes: the definition.
bool isomorphic(unsigned a, unsigned b) {
  const auto bit = [](std::size_t u, std::size_t v) {
    if (u > v) std::swap(u, v);
    return u * (9 - u) / 2 + v - u - 1;
  };
  std::array<std::size_t, 5> order = {0, 1, 2, 3, 4};
  do {
    bool same = true;
    for (std::size_t u = 0; u < 5 && same; ++u)
      for (std::size_t v = u + 1; v < 5 && same; ++v)
        same = (a >> bit(u, v) & 1) == (b >> bit(order[u], order[v]) & 1);
    if (same) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST_CASE("there are 34 kinds of graphs of five nodes") {
  std::vector<std::vector<unsigned>> of(five_node_kinds);
  for (unsigned joined = 0; joined < 1024; ++joined)
    of.at(five_node_kind(joined)).push_back(joined);
  for (const auto& kind : of) {
    REQUIRE(!kind.empty());
    for (const unsigned joined : kind) CHECK(isomorphic(kind.front(), joined));
    for (const auto& other : of)
      CHECK((&kind == &other || !isomorphic(kind.front(), other.front())));
  }
  CHECK(of.front() == std::vector<unsigned>{0});
  CHECK(of.back() == std::vector<unsigned>{1023});
  // The first connected kinds are the trees: path, fork, star.
  CHECK(of[13].front() != 0);
  CHECK(of[13].size() == 60);
  CHECK(of[14].size() == 60);
  CHECK(of[15].size() == 5);
}

std::vector<double> every_five(const SampleGraph& graph) {
  Adjacency joined(graph.nodes, std::vector<bool>(graph.nodes));
  for (const GraphEdge& edge : graph.edges)
    if (edge.from != edge.to) joined[edge.from][edge.to] = joined[edge.to][edge.from] = true;
  std::vector<double> counts(five_node_kinds);
  std::vector<char> chosen(graph.nodes);
  std::fill(chosen.begin(), chosen.begin() + std::min<std::ptrdiff_t>(5, std::ssize(chosen)), 1);
  if (graph.nodes < 5) return counts;
  do {
    std::vector<std::size_t> nodes;
    for (std::size_t v = 0; v < graph.nodes; ++v)
      if (chosen[v] != 0) nodes.push_back(v);
    unsigned bits = 0, bit = 0;
    for (std::size_t u = 0; u < 5; ++u)
      for (std::size_t v = u + 1; v < 5; ++v, ++bit)
        if (joined[nodes[u]][nodes[v]]) bits |= 1U << bit;
    ++counts[five_node_kind(bits)];
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return counts;
}

TEST_CASE("of five nodes, all sets are counted where samples allow it") {
  const GraphShape shape{.nodes = 8, .edges = 64};
  for (const SampleGraph& graph : sparse_to_full(false)) {
    const std::vector<double> all = every_five(graph);
    CHECK(counted(graph, shape, 5, false) == std::vector<float>(all.begin(), all.end()));
    CHECK(counted(graph, shape, 5, true) == std::vector<float>(all.begin() + 13, all.end()));
  }
}

/// The largest difference between estimated and true shares.
double worst_share(const std::vector<float>& shares, std::vector<double> counts) {
  double sum = 0, worst = 0;
  for (const double count : counts) sum += count;
  REQUIRE(shares.size() == counts.size());
  for (std::size_t k = 0; k < shares.size(); ++k)
    worst = std::max(worst, std::abs(shares[k] - counts[k] / sum));
  return worst;
}

TEST_CASE("of larger graphs, five nodes are estimated without bias") {
  for (const double density : {0.06, 0.15, 0.3}) {
    Random random(6);
    SampleGraph graph{.nodes = 30};
    for (std::uint32_t u = 0; u < graph.nodes; ++u)
      for (std::uint32_t v = u + 1; v < graph.nodes; ++v)
        if (random.uniform() < density) graph.edges.push_back({u, v, 0});
    const GraphShape shape{.nodes = 30, .edges = 900};
    std::vector<double> all = every_five(graph);
    const auto estimated = [&](bool connected, const char* values, std::int64_t samples) {
      return counted(graph, shape, 5, connected, values, samples);
    };
    CHECK(worst_share(estimated(false, "shares", 20000), all) < 0.015);
    const auto total = [](const std::vector<float>& counts) {
      double sum = 0;
      for (const float count : counts) sum += count;
      return sum;
    };
    CHECK(total(estimated(false, "counts", 1000)) == doctest::Approx(142506));
    CHECK(estimated(true, "shares", 500) == estimated(true, "shares", 500));
    const std::vector<double> connected(all.begin() + 13, all.end());
    double sum = 0;
    for (const double count : connected) sum += count;
    const auto few = static_cast<std::int64_t>(sum) - 1;
    CHECK(estimated(true, "counts", few) != std::vector<float>(connected.begin(), connected.end()));
    CHECK(estimated(true, "counts", few + 1) ==
          std::vector<float>(connected.begin(), connected.end()));
    const std::int64_t samples = std::min<std::int64_t>(few, 20000);
    CHECK(worst_share(estimated(true, "shares", samples), connected) <
          2 / std::sqrt(static_cast<double>(samples)));
    CHECK(total(estimated(true, "counts", samples)) ==
          doctest::Approx(sum).epsilon(8 / std::sqrt(static_cast<double>(samples))));
  }
}

TEST_CASE("shares have the sum 1, or are zeros") {
  const GraphShape shape{.nodes = 4, .edges = 4};
  const SampleGraph chain{.nodes = 3, .edges = {{0, 1}, {1, 2}}};
  CHECK(counted(chain, shape, 3, true, "shares") == std::vector<float>{1, 0});
  CHECK(counted(chain, shape, 4, true, "shares") == std::vector<float>(6, 0));
}

}  // namespace graphlets_test
