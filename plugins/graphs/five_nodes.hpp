// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace semblance::graphs {

/// For each node, the nodes that it is joined with, ascending; without loops.
using PlainNeighbours = std::vector<std::vector<std::uint32_t>>;

/// The 34 kinds of graphs of five nodes, the 21 connected ones last. Within both, they are ordered
/// by the number of edges, then by the nodes' numbers of edges, the largest first, then by
/// triangles; no two kinds agree in all of these.
inline constexpr std::size_t five_node_kinds = 34, connected_five_node_kinds = 21;

/// The kind of a graph whose pairs of nodes 01, 02, 03, 04, 12, 13, 14, 23, 24, 34 are joined where
/// the bits 0 to 9 are set.
std::size_t five_node_kind(unsigned joined);

/// How many sets of five nodes have an induced subgraph of each kind. All sets are looked at if
/// there are no more than `samples`; else as many are drawn, evenly and with replacement, and the
/// counts are unbiased estimates. The draws depend on the graph alone.
std::array<double, five_node_kinds> five_node_counts(const PlainNeighbours& graph,
                                                     std::size_t samples);

/// The same for connected subgraphs only; the other counts are 0. They are exact if there are no
/// more than `samples` connected sets. Else sets are drawn that grow along random edges, and each
/// counts with the inverse of its chance.
std::array<double, five_node_kinds> connected_five_node_counts(const PlainNeighbours& graph,
                                                               std::size_t samples);

}  // namespace semblance::graphs
