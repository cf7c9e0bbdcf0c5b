// SPDX-License-Identifier: MIT
#include "pipeline/check_tree.hpp"

#include "pipeline/component_reader.hpp"
#include "pipeline/file_check.hpp"
#include "pipeline/graph.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/specification.hpp"
#include "pipeline/yaml_tree.hpp"
#include "registry/figures.hpp"

namespace semblance {
namespace {

PipelineNode make_node(const NodeSpecification& specification, std::size_t index,
                       const Graph& graph, const std::vector<std::size_t>& place_in_order,
                       std::uint64_t seed, const Catalogue& catalogue) {
  PipelineNode node;
  node.name = specification.name;
  node.position = specification.place.position;
  node.entry = specification.component.entry;
  node.component = specification.component.config;
  node.figures = figures_of(node.component, catalogue);
  for (const Edge& edge : graph.inputs[index]) {
    if (node.inputs.empty() || node.inputs.back().port != edge.port->name)
      node.inputs.push_back({edge.port->name, {}});
    node.inputs.back().nodes.push_back(place_in_order[edge.node]);
  }
  node.seed = specification.seed.value_or(seed);
  node.origin = place_in_order[*graph.origin[index]];
  const bool samples = node.info().output->type == PortType::samples;
  if (samples && graph.layouts[index].size() == 1) node.layout = graph.layouts[index].front();
  return node;
}

Pipeline make_pipeline(const Specification& specification, const Graph& graph,
                       const std::string& file_name, const Catalogue& catalogue,
                       const CheckOptions& options) {
  Pipeline pipeline;
  pipeline.name = specification.name;
  pipeline.description = specification.description;
  pipeline.seed = options.seed.value_or(specification.seed);
  pipeline.file = file_name;
  std::vector<std::size_t> place_in_order(specification.nodes.size());
  for (std::size_t i = 0; i < graph.order.size(); ++i) place_in_order[graph.order[i]] = i;
  for (const std::size_t index : graph.order)
    pipeline.nodes.push_back(make_node(specification.nodes[index], index, graph, place_in_order,
                                       pipeline.seed, catalogue));
  return pipeline;
}

}  // namespace

std::optional<Pipeline> check_tree(const YamlNode& root, const std::string& file_name,
                                   const Catalogue& catalogue, const CheckOptions& options,
                                   Problems& problems) {
  const std::size_t errors_of_syntax = problems.errors();
  ComponentReader components(catalogue, options.data, problems);
  const Specification specification = read_specification(root, catalogue, components, problems);
  Graph graph = connect(specification, catalogue, problems);
  sort_graph(specification, graph, problems);
  propagate(specification, catalogue, graph, problems);
  check_calibrators(specification, catalogue, graph, problems);
  // If keys or values are missing from the tree, this would report errors that do not exist.
  if (errors_of_syntax == 0 && options.needs_result) check_purpose(specification, graph, problems);
  for (const auto& node : specification.nodes)
    if (node.component.complete)
      check_component(node.name, node.component, catalogue, components.data(), options, problems);
  if (problems.errors() == 0) {
    check_missing_values(specification, catalogue, graph, problems);
    check_row_weights(specification, catalogue, graph, problems);
    check_row_groups(specification, catalogue, graph, problems);
  }
  if (problems.errors() > 0) return std::nullopt;
  return make_pipeline(specification, graph, file_name, catalogue, options);
}

}  // namespace semblance
