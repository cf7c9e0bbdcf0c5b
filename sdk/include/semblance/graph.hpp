// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/layout.hpp"

namespace semblance {

/// The largest number that a row of a graph can hold: float32 has all whole numbers up to it.
inline constexpr std::uint32_t largest_graph_number = (std::uint32_t{1} << 24) - 1;

struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t label = 0;

  bool operator==(const GraphEdge&) const = default;
};

/// A graph as a program makes it; write() turns it into a row of values.
struct SampleGraph {
  std::size_t nodes = 0;
  std::vector<std::uint32_t> node_labels = {};  ///< one per node, or none
  std::vector<GraphEdge> edges = {};            ///< an undirected edge once, in either direction
  std::vector<float> node_attributes = {};      ///< those of a node adjacent
  std::vector<float> edge_attributes = {};      ///< those of an edge adjacent

  /// Appends the graph to `row`: the numbers of nodes and edges, then the nodes' labels, the nodes'
  /// attributes, both ends of each edge, the edges' labels and the edges' attributes, as far as
  /// graphs of this shape have them. Throws Error if it is no graph of this shape. It may have
  /// more nodes and edges, and other labels, than the shape knows.
  void write(const GraphShape& shape, std::vector<float>& row) const;
};

/// A row of values as a graph. The row must outlive it.
class GraphView {
 public:
  /// Throws Error if the row is no graph of this shape; see SampleGraph::write().
  GraphView(std::span<const float> row, const GraphShape& shape);

  std::size_t nodes() const noexcept { return nodes_; }
  std::size_t edges() const noexcept { return edges_; }
  /// 0 if nodes have no labels; at least shape.node_labels.size() if training graphs lack it.
  std::uint32_t node_label(std::size_t v) const noexcept {
    return node_labels_.empty() ? 0 : static_cast<std::uint32_t>(node_labels_[v]);
  }
  /// An edge with its label, 0 if edges have none.
  GraphEdge edge(std::size_t e) const noexcept {
    return {static_cast<std::uint32_t>(ends_[2 * e]), static_cast<std::uint32_t>(ends_[2 * e + 1]),
            edge_labels_.empty() ? 0 : static_cast<std::uint32_t>(edge_labels_[e])};
  }
  std::span<const float> node_attributes(std::size_t v) const noexcept {
    const std::size_t count = node_attributes_.size() / nodes_;
    return node_attributes_.subspan(v * count, count);
  }
  std::span<const float> edge_attributes(std::size_t e) const noexcept {
    const std::size_t count = edge_attributes_.size() / edges_;
    return edge_attributes_.subspan(e * count, count);
  }

 private:
  std::size_t nodes_ = 0;
  std::size_t edges_ = 0;
  std::span<const float> node_labels_, node_attributes_, ends_, edge_labels_, edge_attributes_;
};

/// For each node, the nodes that its edges lead to.
class GraphNeighbours {
 public:
  enum class Along { edges, reverse };
  struct Neighbour {
    std::uint32_t node = 0;
    std::uint32_t edge = 0;
  };

  /// The neighbours along directed edges, or against them. Undirected edges lead both ways: `along`
  /// has no effect, and a loop is one neighbour.
  GraphNeighbours(const GraphView& graph, bool directed, Along along = Along::edges);

  std::span<const Neighbour> of(std::size_t v) const noexcept {
    return std::span(neighbours_).subspan(offsets_[v], offsets_[v + 1] - offsets_[v]);
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace semblance
