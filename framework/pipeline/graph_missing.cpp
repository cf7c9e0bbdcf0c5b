// SPDX-License-Identifier: MIT
#include "pipeline/graph.hpp"
#include "semblance/source.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

bool keeps_missing(const NodeSpecification& node, const Catalogue& catalogue) {
  const auto component = catalogue.create(node.component.config);
  const auto* source = dynamic_cast<const Source*>(component.get());
  return source && source->keeps_missing();
}

std::string remedy(const std::string& giver, const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (entry->info.takes_missing) ids.push_back(entry->info.id);
  if (ids.empty()) return "no installed component takes them; let the source refuse them";
  return "fill them in first: put " + enumerate(ids) + " after " + quote(giver) +
         " and take its samples";
}

}  // namespace

void check_missing_values(const Specification& specification, const Catalogue& catalogue,
                          const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t giver = 0; giver < nodes.size(); ++giver) {
    if (!graph.inputs[giver].empty() || !keeps_missing(nodes[giver], catalogue)) continue;
    for (std::size_t taker = 0; taker < nodes.size(); ++taker)
      for (const Edge& edge : graph.inputs[taker])
        if (edge.node == giver && !info_of(nodes[taker])->takes_missing)
          problems.error(edge.place,
                         "'" + edge.port->name + "' of " + nodes[taker].component.config.id +
                             " takes no missing values, but " + quote(nodes[giver].name) +
                             " keeps them",
                         remedy(nodes[giver].name, catalogue));
  }
}

}  // namespace semblance
