// SPDX-License-Identifier: MIT
#include <algorithm>

#include "pipeline/graph.hpp"
#include "semblance/kind.hpp"

namespace semblance {
namespace {

/// A solver's model is a result, and so is a report.
bool is_result(PortType output) {
  return output == PortType::scores || output == PortType::pair_scores ||
         output == PortType::report;
}

/// Whether the pipeline has a result, as far as the kinds are known.
bool has_result(const Specification& specification) {
  return std::any_of(specification.nodes.begin(), specification.nodes.end(),
                     [](const NodeSpecification& node) {
                       const KindInfo* kind = kind_named(node.kind);
                       return !kind || (kind->output && is_result(kind->output->type));
                     });
}

}  // namespace

void check_purpose(const Specification& specification, const Graph& graph, Problems& problems) {
  if (specification.nodes.empty()) return;
  if (!has_result(specification)) {
    problems.error(
        specification.nodes_place,
        "the pipeline has neither a solver nor an evaluator, so a run would produce nothing",
        "add a solver, and an evaluator that takes its scores");
    return;
  }
  std::set<PortType> missing = graph.wanting;
  for (const auto& node : specification.nodes)
    missing.insert(node.missing.begin(), node.missing.end());
  for (std::size_t i = 0; i < specification.nodes.size(); ++i) {
    const NodeSpecification& node = specification.nodes[i];
    const ComponentInfo* info = info_of(node);
    // A missing input may be meant to take this node.
    if (!info || graph.used[i] || is_result(info->output->type) ||
        missing.contains(info->output->type))
      continue;
    problems.error(node.place, "nothing uses node " + quote(node.name),
                   "name it as the input of another node, or remove it");
  }
}

}  // namespace semblance
