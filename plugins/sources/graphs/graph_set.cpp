// SPDX-License-Identifier: MIT
#include "graphs/graph_set.hpp"

#include <algorithm>

namespace semblance::sources {

void GraphLabels::know(const std::vector<std::string>& names) {
  for (const std::string& name : names) names_.add(name);
}

std::vector<std::int32_t> GraphLabels::sort(const std::vector<bool>& learned,
                                            std::vector<std::string>& names) const {
  ClassNames known;
  std::vector<std::int32_t> numbers(size(), no_label);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (learned[i]) numbers[i] = known.add(names_.names()[i]);
  known.sort(numbers);
  names = known.names();
  auto next = static_cast<std::int32_t>(names.size());
  for (std::int32_t& number : numbers)
    if (number == no_label) number = next++;
  return numbers;
}

double bytes_of(const SampleGraph& graph) noexcept {
  constexpr std::size_t per_vector = 16;  // that the system's memory takes for itself
  return static_cast<double>(
      sizeof graph + 4 * per_vector + graph.node_labels.capacity() * sizeof(std::uint32_t) +
      graph.edges.capacity() * sizeof(GraphEdge) +
      (graph.node_attributes.capacity() + graph.edge_attributes.capacity()) * sizeof(float));
}

double GraphSet::bytes() const noexcept {
  double sum = 0;
  for (const SampleGraph& graph : graphs) sum += bytes_of(graph);
  return sum;
}

std::string describe(const GraphParts& parts) {
  std::vector<std::string> all;
  if (parts.node_labels) all.emplace_back("node labels");
  if (parts.edge_labels) all.emplace_back("edge labels");
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) all.push_back(std::to_string(count) + what + (count == 1 ? "" : "s"));
  };
  add(parts.node_attributes, " node attribute");
  add(parts.edge_attributes, " edge attribute");
  if (all.empty()) return "neither labels nor attributes";
  std::string text = all.front();
  for (std::size_t k = 1; k < all.size(); ++k)
    text += (k + 1 == all.size() ? " and " : ", ") + all[k];
  return text;
}

GraphShape GraphSet::learn(std::span<const std::size_t> training) {
  GraphShape shape{.directed = directed,
                   .node_attributes = parts->node_attributes,
                   .edge_attributes = parts->edge_attributes};
  std::vector<bool> of_nodes(node_labels.size()), of_edges(edge_labels.size());
  for (const SampleGraph& graph : graphs) {
    shape.nodes = std::max(shape.nodes, graph.nodes);
    shape.edges = std::max(shape.edges, graph.edges.size());
  }
  for (const std::size_t g : training) {
    const SampleGraph& graph = graphs[g];
    for (const std::uint32_t label : graph.node_labels) of_nodes[label] = true;
    if (edge_labels.size() == 0) continue;
    for (const GraphEdge& edge : graph.edges) of_edges[edge.label] = true;
  }
  const auto node_numbers = node_labels.sort(of_nodes, shape.node_labels);
  const auto edge_numbers = edge_labels.sort(of_edges, shape.edge_labels);
  for (SampleGraph& graph : graphs) {
    for (std::uint32_t& label : graph.node_labels)
      label = static_cast<std::uint32_t>(node_numbers[label]);
    if (edge_numbers.empty()) continue;
    for (GraphEdge& edge : graph.edges)
      edge.label = static_cast<std::uint32_t>(edge_numbers[edge.label]);
  }
  return shape;
}

GraphSet GraphSet::known_by(const Layout& layout) {
  const GraphShape& shape = layout.shape;
  GraphSet set;
  set.parts = {!shape.node_labels.empty(), !shape.edge_labels.empty(), shape.node_attributes,
               shape.edge_attributes};
  set.directed = shape.directed;
  set.node_labels.know(shape.node_labels);
  set.edge_labels.know(shape.edge_labels);
  return set;
}

SpillingRows GraphSet::written(const GraphShape& shape, Context& context) {
  SpillingRows rows;
  const auto left = static_cast<double>(context.memory_budget()) - bytes();
  rows.values.spill(static_cast<std::size_t>(std::max(left, 0.0) / 2), context);
  std::vector<float> row;
  for (SampleGraph& graph : graphs) {
    context.check_stop();
    row.clear();
    graph.write(shape, row);
    for (const float value : row) rows.values.push_back(value);
    rows.end_row();
    graph = {};
  }
  return rows;
}

}  // namespace semblance::sources
