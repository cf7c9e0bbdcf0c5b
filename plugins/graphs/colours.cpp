// SPDX-License-Identifier: MIT
#include "colours.hpp"

namespace semblance::graphs {
namespace {

constexpr std::uint64_t label_salt = 0x6c6162656c, forward_salt = 0x666f7277,
                        backward_salt = 0x6261636b;

/// A hash of the set of a node's neighbours with their multiplicities: a sum of hashes does not
/// depend on their order.
std::uint64_t neighbourhood(const GraphView& graph, std::span<const GraphNeighbours::Neighbour> of,
                            const Colour* colours, bool edge_labels, std::uint64_t salt) {
  std::uint64_t sum = 0;
  for (const auto& [node, edge] : of) {
    const std::uint64_t label = edge_labels ? graph.edge(edge).label : 0;
    sum += mixed(colours[node] ^ mixed(label ^ mixed(salt)));
  }
  return sum;
}

}  // namespace

std::vector<Colour> node_colours(const GraphView& graph, const ColourRule& rule,
                                 std::span<const std::uint64_t> marks) {
  const std::size_t nodes = graph.nodes();
  std::vector<Colour> colours((rule.depth + 1) * nodes);
  for (std::size_t v = 0; v < nodes; ++v)
    colours[v] = mixed(graph.node_label(v) ^ mixed(label_salt));
  for (std::size_t v = 0; v < marks.size(); ++v) colours[v] = mixed(colours[v] ^ mixed(marks[v]));
  const GraphNeighbours forward(graph, rule.directed);
  const GraphNeighbours backward(graph, rule.directed, GraphNeighbours::Along::reverse);
  for (std::size_t depth = 1; depth <= rule.depth; ++depth) {
    const Colour* const before = colours.data() + (depth - 1) * nodes;
    for (std::size_t v = 0; v < nodes; ++v) {
      std::uint64_t around =
          mixed(neighbourhood(graph, forward.of(v), before, rule.edge_labels, forward_salt));
      if (rule.directed)
        around = mixed(
            around + neighbourhood(graph, backward.of(v), before, rule.edge_labels, backward_salt));
      colours[depth * nodes + v] = mixed(before[v] ^ mixed(around + depth));
    }
  }
  return colours;
}

}  // namespace semblance::graphs
