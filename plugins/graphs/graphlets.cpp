// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "five_nodes.hpp"
#include "semblance/declaration.hpp"
#include "semblance/graph.hpp"
#include "semblance/row_feature.hpp"

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

/// The numbers of sets of three nodes whose induced subgraph is of each kind.
struct ThreeNodes {
  double empty = 0, edge = 0, path = 0, triangle = 0;
};

/// The same for four nodes. A paw is a triangle with an edge to a fourth node; a diamond lacks one
/// edge of a clique.
struct FourNodes {
  double empty = 0, edge = 0, two_edges = 0, path_and_node = 0, triangle_and_node = 0;
  double star = 0, path = 0, cycle = 0, paw = 0, diamond = 0, clique = 0;
};

/// A graph without labels, directions, loops and parallel edges.
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

/// Counts the small subgraphs of a graph without labels, directions, loops and parallel edges. All
/// counts are exact below 2^53.
class GraphletCounter {
 public:
  explicit GraphletCounter(const GraphView& graph)
      : neighbours_(plain_neighbours(graph)), triangles_(graph.nodes()) {
    each_edge(neighbours_, [&](std::uint32_t u, std::uint32_t v) {
      const Nodes both = common(neighbours_[u], neighbours_[v]);
      edge_triangles_.push_back(static_cast<double>(both.size()));
      for (const std::uint32_t w : both) triangles_[w] += 1;
    });
  }

  ThreeNodes three() const {
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

  /// First the subgraphs, induced or not, of each kind; then those that larger kinds contain are
  /// taken off.
  FourNodes four() const {
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

 private:
  /// Edges between the common neighbours of an edge's ends: each clique has six edges.
  double cliques_of_four() const {
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
  double cycles_of_four() const {
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

  PlainNeighbours neighbours_;
  std::vector<double> triangles_;       ///< of each node
  std::vector<double> edge_triangles_;  ///< of each edge u < v, in their order
};

std::vector<double> five_nodes(const PlainNeighbours& graph, bool connected, std::size_t samples) {
  const auto counts =
      connected ? connected_five_node_counts(graph, samples) : five_node_counts(graph, samples);
  const std::size_t first = connected ? five_node_kinds - connected_five_node_kinds : 0;
  return {counts.begin() + static_cast<std::ptrdiff_t>(first), counts.end()};
}

std::vector<double> counts_of(const GraphletCounter& counter, std::int64_t nodes, bool connected) {
  if (nodes == 3) {
    const ThreeNodes of = counter.three();
    if (connected) return {of.path, of.triangle};
    return {of.empty, of.edge, of.path, of.triangle};
  }
  const FourNodes of = counter.four();
  std::vector<double> counts;
  if (!connected)
    counts = {of.empty, of.edge, of.two_edges, of.path_and_node, of.triangle_and_node};
  counts.insert(counts.end(), {of.star, of.path, of.cycle, of.paw, of.diamond, of.clique});
  return counts;
}

/// The numbers or shares of small induced subgraphs.
class Graphlets final : public RowFeature {
 public:
  static Declaration<Graphlets> declare() {
    return Declaration<Graphlets>("feature/graphlets",
                                  "Counts of a graph's subgraphs of three to five nodes")
        .parameter("nodes", &Graphlets::nodes_, "nodes of a subgraph: 3, 4 or 5", at_least(3),
                   at_most(5), unit("nodes"))
        .parameter("samples", &Graphlets::samples_,
                   "for subgraphs of five nodes: all are counted if there are at most this many, "
                   "otherwise this many are drawn; the more, the more exact and the slower",
                   at_least(1), at_most(1e7))
        .parameter("connected", &Graphlets::connected_, "count connected subgraphs only")
        .parameter("values", &Graphlets::values_, "counts, or their shares of the sum",
                   choices({"shares", "counts"}))
        .accepts({LayoutKind::graph})
        .gives(LayoutKind::vector)
        .documentation(
            "Every set of three to five nodes counts for the kind of its induced subgraph. The "
            "columns are, of three nodes: no edge, one edge, path, triangle; of four: no edge, one "
            "edge, two edges apart, path of three and a node, triangle and a node, star, path, "
            "cycle, triangle with an edge to the fourth node, clique without one edge, clique; of "
            "five, 34 kinds, the 21 connected ones last, within both by the number of edges, then "
            "by those of each node, the largest first, then by triangles. Those that are not "
            "connected have no column unless `connected: false`. Labels, attributes, directions, "
            "loops and parallel edges are ignored. Counts are exact, but above 16,777,216 they are "
            "rounded to float32. A graph without such a subgraph is a row of zeros.\n\nSubgraphs "
            "of five nodes are counted exactly as far as `samples` allows. In larger graphs they "
            "are estimated, without bias: with `connected: false` from sets of five nodes drawn "
            "evenly, with `connected: true` from sets that grow along random edges, each weighted "
            "by the inverse of its chance. The draws depend on the graph alone, not on the seed.")
        .reference(
            "Shervashidze, Vishwanathan, Petri, Mehlhorn & Borgwardt 2009, Efficient graphlet "
            "kernels for large graph comparison; Wernicke 2006, Efficient detection of network "
            "motifs (connected subgraphs of five nodes)")
        .complexity(
            "the sum of squared degrees; for cliques, edges x common neighbours squared; of five "
            "nodes, a microsecond per subgraph or sample")
        .example(R"(
        graphs: {is: source/random_graphs}
        small:  {is: feature/graphlets, nodes: 4, from: graphs}
        x:      {is: normalizer/zscore, from: small}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
  }

 private:
  Layout prepare(const Layout&) override {
    if (nodes_ == 3) return Layout::vector(connected_ ? 2 : 4);
    if (nodes_ == 5)
      return Layout::vector(connected_ ? connected_five_node_kinds : five_node_kinds);
    return Layout::vector(connected_ ? 6 : 11);
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const GraphView graph(in, layout().shape);
    const std::vector<double> counts =
        nodes_ == 5
            ? five_nodes(plain_neighbours(graph), connected_, static_cast<std::size_t>(samples_))
            : counts_of(GraphletCounter(graph), nodes_, connected_);
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double scale = values_ == "shares" && sum > 0 ? 1 / sum : 1;
    for (std::size_t k = 0; k < counts.size(); ++k) out[k] = static_cast<float>(counts[k] * scale);
  }

  std::int64_t nodes_ = 3;
  std::int64_t samples_ = 10000;
  bool connected_ = true;
  std::string values_ = "shares";
};

}  // namespace

ComponentEntry declare_graphlets() { return Graphlets::declare().entry(); }

}  // namespace semblance::graphs
