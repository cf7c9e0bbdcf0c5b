// SPDX-License-Identifier: MIT
#include "pipeline/graph.hpp"
#include "semblance/source.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

bool gives_weights(const NodeSpecification& node, const Catalogue& catalogue) {
  const auto component = catalogue.create(node.component.config);
  const auto* source = dynamic_cast<const Source*>(component.get());
  return source && source->gives_weights();
}

/// The solver or calibrator, or one nested in it, that ignores weights; nullptr: there is none.
const ComponentInfo* minds_no_weights(const ComponentConfig& config, const Catalogue& catalogue) {
  const auto* entry = catalogue.find(config.id);
  if (!entry || (entry->info.kind() != "solver" && entry->info.kind() != "calibrator"))
    return nullptr;
  if (!entry->info.takes_weights) return &entry->info;
  for (const auto& [parameter, part] : config.parts)
    if (const auto* found = minds_no_weights(part, catalogue)) return found;
  return nullptr;
}

/// The solvers with the same kind of input that use weights.
std::string solvers_that_do(const ComponentInfo& like, const Catalogue& catalogue) {
  std::vector<std::string> ids;
  for (const auto* entry : catalogue.entries())
    if (entry->info.takes_weights && entry->info.kind() == like.kind() && entry->info.output &&
        like.output && entry->info.output->type == like.output->type)
      ids.push_back(entry->info.id);
  if (ids.empty()) return "let the source read none";
  return "let the source read none, or use one that supports them: " + enumerate(ids);
}

}  // namespace

void check_row_weights(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems) {
  const auto& nodes = specification.nodes;
  for (std::size_t giver = 0; giver < nodes.size(); ++giver) {
    if (!graph.inputs[giver].empty() || !gives_weights(nodes[giver], catalogue)) continue;
    for (std::size_t taker = 0; taker < nodes.size(); ++taker) {
      if (graph.inputs[taker].empty() || graph.origin[taker] != giver) continue;
      if (const auto* info = minds_no_weights(nodes[taker].component.config, catalogue))
        problems.error(graph.inputs[taker].front().place,
                       info->id + " counts every row once, but those of " +
                           quote(nodes[giver].name) + " have weights",
                       solvers_that_do(*info, catalogue));
    }
  }
}

}  // namespace semblance
