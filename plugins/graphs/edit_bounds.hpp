// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/graph.hpp"

namespace semblance::graphs {

/// What it costs to edit a graph. Deleting something costs as much as inserting it.
struct GraphEditCosts {
  double node = 1;        ///< of a node that only one of two graphs has
  double node_label = 1;  ///< of a node in place of one with another label
  double attributes = 0;  ///< of a node in place of another, per Euclidean distance of attributes
  double edge = 1;        ///< of an edge that only one of two graphs has
  double edge_label = 1;  ///< of an edge in place of one with another label
};

/// A graph prepared for comparisons. The row that holds it must outlive it.
class EditableGraph {
 public:
  EditableGraph(std::span<const float> row, const GraphView& graph, bool directed);

  /// The labels of edges at a node, ascending.
  struct Star {
    std::span<const std::uint32_t> out, in, loops;  ///< undirected edges are all in `out`
  };

  std::span<const float> row() const noexcept { return row_; }
  const GraphView& graph() const noexcept { return graph_; }
  std::size_t nodes() const noexcept { return graph_.nodes(); }
  Star star(std::size_t v) const noexcept;
  /// A number for each node: nodes with the same label and the same star have the same.
  std::span<const std::uint32_t> kinds() const noexcept { return kinds_; }
  /// A node of each kind.
  std::span<const std::uint32_t> examples() const noexcept { return examples_; }
  /// All edges; undirected ones lead from the smaller node to the larger.
  const std::vector<GraphEdge>& edges() const noexcept { return edges_; }
  bool directed() const noexcept { return directed_; }

 private:
  std::span<const float> row_;
  GraphView graph_;
  bool directed_ = false;
  void sort_into_kinds();

  std::vector<GraphEdge> edges_;
  std::vector<std::uint32_t> labels_;  ///< of each node: out, in, loops
  std::vector<std::uint32_t> kinds_, examples_;
  std::vector<std::size_t> offsets_;  ///< three per node, and the end
};

enum class EditBound { lower, upper };

/// A bound of the graph edit distance, the least cost of edits that turn one graph into another, by
/// a cheapest assignment of nodes with their edges (Riesen & Bunke 2009). A node, together with
/// half of each of its edges, takes the place of one of the other graph's, is deleted, or is
/// inserted. The least cost of that is the lower bound. The upper bound is the cost of the edits
/// that the assignment implies.
///
/// Both are symmetric to the bit, and 0 for equal rows. The lower bound depends on nothing but the
/// graphs; the upper one also on the order of nodes, where several assignments are cheapest.
double edit_bound(
    const EditableGraph& a, const EditableGraph& b, const GraphEditCosts& costs, EditBound bound,
    const std::function<void()>& poll = [] {});

}  // namespace semblance::graphs
