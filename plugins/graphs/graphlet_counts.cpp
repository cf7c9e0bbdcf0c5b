// SPDX-License-Identifier: MIT
#include "graphlet_counts.hpp"

#include <algorithm>
#include <iterator>

namespace semblance::graphs {
namespace {

using Nodes = std::vector<std::uint32_t>;

/// The number of ways to choose 2 or 3 of n.
double pairs(double n) { return n * (n - 1) / 2; }
double triples(double n) { return n * (n - 1) * (n - 2) / 6; }

Nodes common(const Nodes& a, const Nodes& b) {
  Nodes both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

/// Calls visit(u, v) for each edge u < v.
template <class Visit>
void each_edge(const PlainNeighbours& neighbours, const Visit& visit) {
  for (std::uint32_t u = 0; u < neighbours.size(); ++u)
    for (const std::uint32_t v : neighbours[u])
      if (u < v) visit(u, v);
}

}  // namespace

PlainNeighbours plain_neighbours(const GraphView& graph) {
  PlainNeighbours neighbours(graph.nodes());
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const GraphEdge edge = graph.edge(e);
    if (edge.from == edge.to) continue;
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  for (auto& of : neighbours) {
    std::ranges::sort(of);
    of.erase(std::ranges::unique(of).begin(), of.end());
  }
  return neighbours;
}

GraphletCounter::GraphletCounter(const GraphView& graph)
    : neighbours_(plain_neighbours(graph)), triangles_(graph.nodes()) {
  each_edge(neighbours_, [&](std::uint32_t u, std::uint32_t v) {
    const Nodes both = common(neighbours_[u], neighbours_[v]);
    edge_triangles_.push_back(static_cast<double>(both.size()));
    for (const std::uint32_t w : both) triangles_[w] += 1;
  });
}

ThreeNodes GraphletCounter::three() const {
  const auto nodes = static_cast<double>(neighbours_.size());
  ThreeNodes counts;
  double edges = 0, wedges = 0;
  for (std::size_t v = 0; v < neighbours_.size(); ++v) {
    const auto degree = static_cast<double>(neighbours_[v].size());
    edges += degree / 2;
    wedges += pairs(degree);
    counts.triangle += triangles_[v];
  }
  counts.triangle /= 3;  // at the end: thirds are not exact
  counts.path = wedges - 3 * counts.triangle;
  counts.edge = edges * (nodes - 2) - 2 * counts.path - 3 * counts.triangle;
  counts.empty = triples(nodes) - counts.edge - counts.path - counts.triangle;
  if (nodes < 3) counts = {};
  return counts;
}

/// Edges between the common neighbours of an edge's ends: each clique has six edges.
double GraphletCounter::cliques_of_four() const {
  double found = 0;
  each_edge(neighbours_, [&](std::uint32_t u, std::uint32_t v) {
    const Nodes both = common(neighbours_[u], neighbours_[v]);
    for (const std::uint32_t w : both)
      found += static_cast<double>(common(neighbours_[w], both).size()) / 2;
  });
  return found / 6;
}

/// Pairs of common neighbours of any two nodes: each cycle, with chords or without, has two such
/// pairs of nodes.
double GraphletCounter::cycles_of_four() const {
  double found = 0;
  std::vector<double> ways(neighbours_.size());
  for (std::uint32_t u = 0; u < neighbours_.size(); ++u) {
    Nodes reached;
    for (const std::uint32_t v : neighbours_[u])
      for (const std::uint32_t w : neighbours_[v])
        if (w > u && ways[w]++ == 0) reached.push_back(w);
    for (const std::uint32_t w : reached) {
      found += pairs(ways[w]);
      ways[w] = 0;
    }
  }
  return found / 2;
}

/// First the subgraphs, induced or not, of each kind; then those that larger kinds contain are
/// taken off.
FourNodes GraphletCounter::four() const {
  const auto nodes = static_cast<double>(neighbours_.size());
  FourNodes of;
  if (nodes < 4) return of;
  double edges = 0, wedges = 0, triangles = 0;
  for (std::size_t v = 0; v < neighbours_.size(); ++v) {
    const auto degree = static_cast<double>(neighbours_[v].size());
    edges += degree / 2;
    wedges += pairs(degree);
    triangles += triangles_[v];
    of.star += triples(degree);
    of.paw += triangles_[v] * (degree - 2);
  }
  triangles /= 3;
  std::size_t e = 0;
  each_edge(neighbours_, [&](std::uint32_t u, std::uint32_t v) {
    of.diamond += pairs(edge_triangles_[e++]);
    of.path += static_cast<double>(neighbours_[u].size() - 1) *
               static_cast<double>(neighbours_[v].size() - 1);
  });
  of.clique = cliques_of_four();
  of.diamond -= 6 * of.clique;
  of.paw -= 4 * of.diamond + 12 * of.clique;
  of.cycle = cycles_of_four() - of.diamond - 3 * of.clique;
  of.star -= of.paw + 2 * of.diamond + 4 * of.clique;
  of.path -= 3 * triangles + 2 * of.paw + 4 * of.cycle + 6 * of.diamond + 12 * of.clique;
  const ThreeNodes small = three();
  of.triangle_and_node = triangles * (nodes - 3) - of.paw - 2 * of.diamond - 4 * of.clique;
  of.path_and_node = small.path * (nodes - 3) - 3 * of.star - 2 * of.path - 4 * of.cycle -
                     2 * of.paw - 2 * of.diamond;
  of.two_edges =
      pairs(edges) - wedges - of.path - 2 * of.cycle - of.paw - 2 * of.diamond - 3 * of.clique;
  of.edge = edges * pairs(nodes - 2) - 2 * (of.two_edges + of.path_and_node) -
            3 * (of.triangle_and_node + of.star + of.path) - 4 * (of.cycle + of.paw) -
            5 * of.diamond - 6 * of.clique;
  of.empty = nodes * (nodes - 1) * (nodes - 2) * (nodes - 3) / 24 - of.edge - of.two_edges -
             of.path_and_node - of.triangle_and_node - of.star - of.path - of.cycle - of.paw -
             of.diamond - of.clique;
  return of;
}

}  // namespace semblance::graphs
