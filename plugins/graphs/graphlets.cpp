// SPDX-License-Identifier: MIT
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "graphlet_counts.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_feature.hpp"

namespace semblance::graphs {
namespace {

/// The numbers or shares of small induced subgraphs.
class Graphlets final : public RowFeature {
 public:
  static Declaration<Graphlets> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  std::int64_t nodes_ = 3;
  std::int64_t samples_ = 10000;
  bool connected_ = true;
  std::string values_ = "shares";
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

Layout Graphlets::prepare(const Layout&) {
  if (nodes_ == 3) return Layout::vector(connected_ ? 2 : 4);
  if (nodes_ == 5) return Layout::vector(connected_ ? connected_five_node_kinds : five_node_kinds);
  return Layout::vector(connected_ ? 6 : 11);
}

void Graphlets::transform(std::span<const float> in, std::span<float> out) const {
  const GraphView graph(in, layout().shape);
  const std::vector<double> counts =
      nodes_ == 5
          ? five_nodes(plain_neighbours(graph), connected_, static_cast<std::size_t>(samples_))
          : counts_of(GraphletCounter(graph), nodes_, connected_);
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double scale = values_ == "shares" && sum > 0 ? 1 / sum : 1;
  for (std::size_t k = 0; k < counts.size(); ++k) out[k] = static_cast<float>(counts[k] * scale);
}

Declaration<Graphlets> Graphlets::declare() {
  return Declaration<Graphlets>("feature/graphlets",
                                "Counts of a graph's subgraphs of three to five nodes")
      .parameter("nodes", &Graphlets::nodes_, "nodes of a subgraph: 3, 4 or 5", at_least(3),
                 at_most(5), unit("nodes"))
      .parameter("samples", &Graphlets::samples_,
                 "of five nodes: all subgraphs are counted if there are at most so many, otherwise "
                 "so many are drawn",
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
          "five, 34 "
          "kinds, the 21 connected ones last, within both by the number of edges, then by those of "
          "each node, the largest first, then by triangles. Those "
          "that are not connected have no column unless `connected: false`. Labels, attributes, "
          "directions, loops and parallel edges are ignored. Counts are exact, but above "
          "16,777,216 "
          "they are rounded to float32. A graph without such a subgraph is a row of "
          "zeros.\n\nSubgraphs of "
          "five nodes are counted exactly as far as `samples` allows. In larger graphs they are "
          "estimated, without bias: with `connected: false` from sets of five nodes drawn evenly, "
          "with `connected: true` from sets that grow along random edges, each weighted by the "
          "inverse of its chance. The draws depend on the graph alone, not on the seed.")
      .reference(
          "Shervashidze, Vishwanathan, Petri, Mehlhorn & Borgwardt 2009, Efficient graphlet "
          "kernels for large graph comparison; Wernicke 2006, Efficient detection of network "
          "motifs (connected subgraphs of five nodes)")
      .complexity(
          "the sum of squared degrees; for cliques, edges x common neighbours squared; "
          "of five nodes, a microsecond per subgraph or sample")
      .example(R"(
        graphs: {is: source/random_graphs}
        small:  {is: feature/graphlets, nodes: 4, from: graphs}
        x:      {is: normalizer/zscore, from: small}
        svm:    {is: solver/linear_svm, from: x}
        test:   {is: evaluator/classification, from: svm})");
}

}  // namespace

ComponentEntry declare_graphlets() { return Graphlets::declare().entry(); }

}  // namespace semblance::graphs
