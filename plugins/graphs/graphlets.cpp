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
  bool connected_ = true;
  std::string values_ = "shares";
};

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
  return Layout::vector(connected_ ? 6 : 11);
}

void Graphlets::transform(std::span<const float> in, std::span<float> out) const {
  const std::vector<double> counts =
      counts_of(GraphletCounter(GraphView(in, layout().shape)), nodes_, connected_);
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  const double scale = values_ == "shares" && sum > 0 ? 1 / sum : 1;
  for (std::size_t k = 0; k < counts.size(); ++k) out[k] = static_cast<float>(counts[k] * scale);
}

Declaration<Graphlets> Graphlets::declare() {
  return Declaration<Graphlets>("feature/graphlets",
                                "Counts of a graph's subgraphs of three or four nodes")
      .parameter("nodes", &Graphlets::nodes_, "nodes of a subgraph: 3 or 4", at_least(3),
                 at_most(4), unit("nodes"))
      .parameter("connected", &Graphlets::connected_, "count connected subgraphs only")
      .parameter("values", &Graphlets::values_, "counts, or their shares of the sum",
                 choices({"shares", "counts"}))
      .accepts({LayoutKind::graph})
      .gives(LayoutKind::vector)
      .documentation(
          "Every set of three or four nodes counts for the kind of its induced subgraph. The "
          "columns are, of three nodes: no edge, one edge, path, triangle; of four: no edge, one "
          "edge, two edges apart, path of three and a node, triangle and a node, star, path, "
          "cycle, triangle with an edge to the fourth node, clique without one edge, clique. Those "
          "that are not connected have no column unless `connected: false`. Labels, attributes, "
          "directions, loops and parallel edges are ignored. Counts are exact, but above "
          "16,777,216 "
          "they are rounded to float32. A graph without such a subgraph is a row of zeros.")
      .reference(
          "Shervashidze, Vishwanathan, Petri, Mehlhorn & Borgwardt 2009, Efficient graphlet "
          "kernels for large graph comparison")
      .complexity("the sum of squared degrees; for cliques, edges x common neighbours squared")
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
