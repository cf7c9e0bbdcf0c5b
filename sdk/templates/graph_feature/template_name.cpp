#include <algorithm>
#include <cstdint>
#include <vector>

#include "semblance/graph.hpp"
#include "semblance/plugin.hpp"
#include "semblance/row_feature.hpp"

namespace plugin {
using namespace semblance;

/// The numbers of nodes with each label and each number of neighbours.
class TemplateNameFeature final : public RowFeature {
 public:
  static Declaration<TemplateNameFeature> declare() {
    return Declaration<TemplateNameFeature>("feature/template_name",
                                            "Counts of nodes by label and degree")
        .parameter("largest", &TemplateNameFeature::largest_,
                   "nodes with more neighbours count as nodes with so many", at_least(0),
                   at_most(1000))
        .accepts({LayoutKind::graph})
        .gives(LayoutKind::vector)
        .complexity("one operation per node and edge")
        .documentation(
            "Each label has a column for each degree, and so have all labels that no training "
            "graph has. Along directed edges only. Labels of edges and attributes are ignored.")
        .example(R"(
          graphs: {is: source/random_graphs, contrast: 1}
          mine:   {is: feature/template_name, from: graphs}
          x:      {is: normalizer/zscore, from: mine}
          svm:    {is: solver/linear_svm, from: x}
          test:   {is: evaluator/classification, from: svm})");
  }

 private:
  std::size_t degrees() const { return static_cast<std::size_t>(largest_) + 1; }

  Layout prepare(const Layout& input) override {
    return Layout::vector((input.shape.node_labels.size() + 1) * degrees());
  }

  void transform(std::span<const float> in, std::span<float> out) const override {
    const GraphShape& shape = layout().shape;
    const GraphView graph(in, shape);
    const GraphNeighbours neighbours(graph, shape.directed);
    std::ranges::fill(out, 0.0F);
    for (std::size_t v = 0; v < graph.nodes(); ++v) {
      const std::size_t label =
          std::min<std::size_t>(graph.node_label(v), shape.node_labels.size());
      const std::size_t degree = std::min(neighbours.of(v).size(), degrees() - 1);
      out[label * degrees() + degree] += 1;
    }
  }

  std::int64_t largest_ = 4;
};

}  // namespace plugin

SEMBLANCE_PLUGIN("template_name", "0.1.0", "MIT", plugin::TemplateNameFeature)
