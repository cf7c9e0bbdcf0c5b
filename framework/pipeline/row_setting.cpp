// SPDX-License-Identifier: MIT
#include "pipeline/row_setting.hpp"

#include "semblance/pairs.hpp"

namespace semblance {

std::vector<std::size_t> nodes_setting_rows_aside(const Pipeline& pipeline, std::size_t source,
                                                  const Catalogue& catalogue) {
  std::vector<std::size_t> found;
  for (std::size_t i = source + 1; i < pipeline.nodes.size(); ++i) {
    const PipelineNode& node = pipeline.nodes[i];
    if (node.origin != source || node.info().kind() != "pairs") continue;
    const auto component = catalogue.create(node.component);
    const auto* pairs = dynamic_cast<const Pairs*>(component.get());
    if (pairs && pairs->sets_rows_aside()) found.push_back(i);
  }
  return found;
}

}  // namespace semblance
