// SPDX-License-Identifier: MIT
#include "graphs/graph_set.hpp"

#include <algorithm>
#include <numeric>

namespace semblance::sources {

void GraphLabels::know(const std::vector<std::string>& names) {
  for (const std::string& name : names) names_.add(name);
}

std::vector<std::uint32_t> GraphLabels::sort() {
  std::vector<std::int32_t> numbers(names_.names().size());
  std::iota(numbers.begin(), numbers.end(), 0);
  names_.sort(numbers);
  return {numbers.begin(), numbers.end()};
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

void GraphSet::sort_labels() {
  const std::vector<std::uint32_t> of_nodes = node_labels.sort(), of_edges = edge_labels.sort();
  for (SampleGraph& graph : graphs) {
    for (std::uint32_t& label : graph.node_labels) label = of_nodes[label];
    if (!of_edges.empty())
      for (GraphEdge& edge : graph.edges) edge.label = of_edges[edge.label];
  }
}

GraphShape GraphSet::shape() const {
  GraphShape shape{.directed = directed,
                   .node_attributes = parts->node_attributes,
                   .edge_attributes = parts->edge_attributes,
                   .node_labels = node_labels.names(),
                   .edge_labels = edge_labels.names()};
  for (const SampleGraph& graph : graphs) {
    shape.nodes = std::max(shape.nodes, graph.nodes);
    shape.edges = std::max(shape.edges, graph.edges.size());
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
  rows.values.spill(context.memory_budget() / 2, context);
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
