// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "five_nodes.hpp"
#include "semblance/graph.hpp"

namespace semblance::graphs {

/// A graph without labels, directions, loops and parallel edges.
PlainNeighbours plain_neighbours(const GraphView& graph);

/// The numbers of sets of three nodes whose induced subgraph is of each kind.
struct ThreeNodes {
  double empty = 0, edge = 0, path = 0, triangle = 0;
};

/// The same for four nodes. A paw is a triangle with an edge to a fourth node; a diamond lacks one
/// edge of a clique.
struct FourNodes {
  double empty = 0, edge = 0, two_edges = 0, path_and_node = 0, triangle_and_node = 0;
  double star = 0, path = 0, cycle = 0, paw = 0, diamond = 0, clique = 0;
};

/// Counts the small subgraphs of a graph without labels, directions, loops and parallel edges. All
/// counts are exact below 2^53.
class GraphletCounter {
 public:
  explicit GraphletCounter(const GraphView& graph);
  ThreeNodes three() const;
  FourNodes four() const;

 private:
  double cliques_of_four() const;
  double cycles_of_four() const;

  PlainNeighbours neighbours_;
  std::vector<double> triangles_;       ///< of each node
  std::vector<double> edge_triangles_;  ///< of each edge u < v, in their order
};

}  // namespace semblance::graphs
