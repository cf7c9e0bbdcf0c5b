// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/graph.hpp"

namespace semblance {

/// Where a drawing puts the nodes of a graph: x and y of each, in [0, 1]. Distances in the drawing
/// follow the numbers of edges between nodes (stress majorization; Gansner, Koren & North 2004).
/// Directions have no effect. The time grows with the cube of the number of nodes.
std::vector<float> graph_layout(const GraphView& graph);

}  // namespace semblance
