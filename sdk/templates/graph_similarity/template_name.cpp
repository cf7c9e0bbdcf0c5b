#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "semblance/graph.hpp"
#include "semblance/plugin.hpp"
#include "semblance/row_similarity.hpp"

namespace plugin {
using namespace semblance;

/// The number of edges that two graphs have in common, where edges with equal labels and equal
/// labels at their ends are the same: the sum over all kinds of edges of the smaller count.
class TemplateNameSimilarity final : public RowSimilarity<TemplateNameSimilarity> {
 public:
  static Declaration<TemplateNameSimilarity> declare() {
    return Declaration<TemplateNameSimilarity>("similarity/template_name",
                                               "Number of edges in common, by their labels")
        .parameter("edge_labels", &TemplateNameSimilarity::edge_labels_,
                   "compare the labels of edges, not only those at their ends")
        .accepts({LayoutKind::graph})
        .symmetric()
        .complexity("m log m operations per pair for m edges")
        .documentation("Positive semi-definite. Attributes are ignored.")
        .example(R"(
          graphs: {is: source/random_graphs, contrast: 1}
          bases:  {is: basis/random_per_class, per_class: 20, from: graphs}
          mine:   {is: similarity/template_name, from: graphs, bases: bases}
          map:    {is: normalizer/mean_norm, from: mine}
          svm:    {is: solver/linear_svm, C: 10, from: map}
          test:   {is: evaluator/classification, from: svm})");
  }

  float compare(std::span<const float> b, std::span<const float> x) const {
    const std::vector<EdgeKind> of_b = sorted_edges(b), of_x = sorted_edges(x);
    std::vector<EdgeKind> common;
    std::ranges::set_intersection(of_b, of_x, std::back_inserter(common));
    return static_cast<float>(common.size());
  }

  /// A theorem: an intersection of histograms.
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  using EdgeKind = std::array<std::uint32_t, 3>;  ///< the labels of both ends and of the edge

  std::vector<EdgeKind> sorted_edges(std::span<const float> row) const {
    const GraphView graph(row, layout().shape);
    std::vector<EdgeKind> edges;
    for (std::size_t e = 0; e < graph.edges(); ++e) {
      const GraphEdge edge = graph.edge(e);
      std::uint32_t from = graph.node_label(edge.from), to = graph.node_label(edge.to);
      if (!layout().shape.directed && from > to) std::swap(from, to);
      edges.push_back({from, to, edge_labels_ ? edge.label : 0});
    }
    std::ranges::sort(edges);
    return edges;
  }

  bool edge_labels_ = true;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameSimilarity)
