// SPDX-License-Identifier: MIT
#include "pipeline/shown_names.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "semblance/error.hpp"

namespace semblance {
namespace {

using Nodes = std::set<std::size_t>;

std::vector<std::size_t> feeding(const PipelineNode& node, const std::string& port) {
  for (const PipelineInput& input : node.inputs)
    if (input.port == port) return input.nodes;
  return {};
}

/// Adds node i, if it is a machine, and the maps that made its rows, with each map's samples and
/// bases.
void add_machine(const Pipeline& pipeline, std::size_t i, Nodes& visited, Nodes& shown) {
  if (!visited.insert(i).second) return;
  const PipelineNode& node = pipeline.nodes[i];
  const std::string_view kind = node.info().kind();
  if (kind == "solver" || kind == "similarity") shown.insert(i);
  if (kind == "similarity")
    for (const PipelineInput& input : node.inputs)
      shown.insert(input.nodes.begin(), input.nodes.end());
  for (const std::size_t from : feeding(node, "from")) add_machine(pipeline, from, visited, shown);
}

Nodes told_of(const Pipeline& pipeline, std::size_t i) {
  const PipelineNode& node = pipeline.nodes[i];
  const auto from = feeding(node, "from");
  Nodes shown;
  const auto& output = node.info().output;
  const bool scores =
      output && (output->type == PortType::scores || output->type == PortType::estimates ||
                 output->type == PortType::novelty);
  if (scores && from.size() > 1) shown.insert(from.begin(), from.end());
  if (node.info().kind() != "evaluator" || node.info().inputs.empty()) return shown;
  if (node.info().inputs.front().type == PortType::pair_scores) {
    shown.insert(from.begin(), from.end());
    return shown;
  }
  if (node.info().inputs.front().type != PortType::samples) {
    Nodes visited;
    for (const std::size_t solver : from) add_machine(pipeline, solver, visited, shown);
  }
  return shown;
}

}  // namespace

std::vector<ShownNode> shown_nodes(const Pipeline& pipeline, std::size_t i) {
  if (pipeline.nodes[i].shown) return *pipeline.nodes[i].shown;
  std::vector<ShownNode> shown;
  for (const std::size_t node : told_of(pipeline, i))
    shown.push_back({node, pipeline.nodes[node].name});
  return shown;
}

const std::string& shown_name(const std::vector<ShownNode>& nodes, std::size_t shown) {
  const auto found = std::ranges::find(nodes, shown, &ShownNode::node);
  if (found == nodes.end())
    throw Error(
        "internal error: a component would see the name of a node that its result does not depend "
        "on");
  return found->name;
}

}  // namespace semblance
