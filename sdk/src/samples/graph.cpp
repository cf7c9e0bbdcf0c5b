// SPDX-License-Identifier: MIT
#include "semblance/graph.hpp"

#include <cmath>
#include <string>

#include "semblance/error.hpp"

namespace semblance {
namespace {

std::string text(std::size_t number) { return std::to_string(number); }

/// A whole number that a row may hold as such.
bool is_number(float value) {
  return value >= 0 && value <= static_cast<float>(largest_graph_number) &&
         value == std::floor(value);
}

void check_number(std::size_t value, const char* what) {
  if (value <= largest_graph_number) return;
  throw Error("it has " + text(value) + " as " + what + "; the largest number in a graph is " +
              text(largest_graph_number));
}

void check_edge(std::size_t e, std::size_t from, std::size_t to, std::size_t nodes) {
  if (from < nodes && to < nodes) return;
  throw Error("its edge " + text(e) + " joins node " + text(from) + " and node " + text(to) +
              ", but its nodes are numbered 0 to " + text(nodes - 1));
}

void check_count(std::size_t has, std::size_t expected, const char* what) {
  if (has == expected) return;
  throw Error("it has " + text(has) + " " + what + ", but its shape wants " + text(expected));
}

/// The next `count` values of a row.
class Taker {
 public:
  explicit Taker(std::span<const float> row) : row_(row) {}
  std::span<const float> take(std::size_t count) {
    const auto taken = row_.subspan(first_, count);
    first_ += count;
    return taken;
  }

 private:
  std::span<const float> row_;
  std::size_t first_ = 0;
};

}  // namespace

void SampleGraph::write(const GraphShape& shape, std::vector<float>& row) const {
  if (nodes == 0) throw Error("it has no nodes");
  check_number(nodes, "the number of its nodes");
  check_number(edges.size(), "the number of its edges");
  check_count(node_labels.size(), shape.node_labels.empty() ? 0 : nodes, "node labels");
  check_count(node_attributes.size(), nodes * shape.node_attributes, "node attributes");
  check_count(edge_attributes.size(), edges.size() * shape.edge_attributes, "edge attributes");
  row.push_back(static_cast<float>(nodes));
  row.push_back(static_cast<float>(edges.size()));
  for (const std::uint32_t label : node_labels) {
    check_number(label, "a node label");
    row.push_back(static_cast<float>(label));
  }
  row.insert(row.end(), node_attributes.begin(), node_attributes.end());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    check_edge(e, edges[e].from, edges[e].to, nodes);
    row.push_back(static_cast<float>(edges[e].from));
    row.push_back(static_cast<float>(edges[e].to));
  }
  if (!shape.edge_labels.empty())
    for (const GraphEdge& edge : edges) {
      check_number(edge.label, "an edge label");
      row.push_back(static_cast<float>(edge.label));
    }
  row.insert(row.end(), edge_attributes.begin(), edge_attributes.end());
}

GraphView::GraphView(std::span<const float> row, const GraphShape& shape) {
  if (row.size() < 2 || !is_number(row[0]) || row[0] < 1 || !is_number(row[1]))
    throw Error("it is no graph: it does not begin with the numbers of its nodes and edges");
  nodes_ = static_cast<std::size_t>(row[0]);
  edges_ = static_cast<std::size_t>(row[1]);
  const std::size_t node_labels = shape.node_labels.empty() ? 0 : nodes_;
  const std::size_t edge_labels = shape.edge_labels.empty() ? 0 : edges_;
  const std::size_t needed = 2 + node_labels + nodes_ * shape.node_attributes + 2 * edges_ +
                             edge_labels + edges_ * shape.edge_attributes;
  if (row.size() != needed)
    throw Error("it is no graph: " + text(nodes_) + " nodes and " + text(edges_) +
                " edges of its layout take " + text(needed) + " values, but it has " +
                text(row.size()));
  Taker from(row);
  from.take(2);
  node_labels_ = from.take(node_labels);
  node_attributes_ = from.take(nodes_ * shape.node_attributes);
  ends_ = from.take(2 * edges_);
  edge_labels_ = from.take(edge_labels);
  edge_attributes_ = from.take(edges_ * shape.edge_attributes);
  for (const auto numbers : {node_labels_, ends_, edge_labels_})
    for (const float value : numbers)
      if (!is_number(value))
        throw Error("it is no graph: a label or an end of an edge is " + std::to_string(value));
  for (std::size_t e = 0; e < edges_; ++e) check_edge(e, edge(e).from, edge(e).to, nodes_);
}

GraphNeighbours::GraphNeighbours(const GraphView& graph, bool directed, Along along)
    : offsets_(graph.nodes() + 1, 0) {
  const auto visit = [&](const auto& add) {
    for (std::uint32_t e = 0; e < graph.edges(); ++e) {
      const GraphEdge edge = graph.edge(e);
      if (!directed || along == Along::edges) add(edge.from, Neighbour{edge.to, e});
      if (directed ? along == Along::reverse : edge.from != edge.to)
        add(edge.to, Neighbour{edge.from, e});
    }
  };
  visit([&](std::uint32_t v, Neighbour) { ++offsets_[v + 1]; });
  for (std::size_t v = 0; v < graph.nodes(); ++v) offsets_[v + 1] += offsets_[v];
  neighbours_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  visit([&](std::uint32_t v, Neighbour neighbour) { neighbours_[next[v]++] = neighbour; });
}

}  // namespace semblance
