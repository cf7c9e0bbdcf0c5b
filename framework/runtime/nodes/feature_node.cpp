// SPDX-License-Identifier: MIT
#include "runtime/graph/compilation.hpp"
#include "semblance/feature.hpp"

namespace semblance {
namespace {

/// Maps each sample separately.
class FeatureNode final : public Node {
  void bind(const Compilation& graph, const KnownShapes*) override {
    facts().output = as<Feature>().bind(graph.facts(facts().inputs[0]).output);
    facts().demands = {.gives = RowsOf::all, .keeping = Keeping::if_learned_from};
  }
};

}  // namespace

std::unique_ptr<Node> make_feature_node() { return std::make_unique<FeatureNode>(); }

}  // namespace semblance
