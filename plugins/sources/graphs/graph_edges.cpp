// SPDX-License-Identifier: MIT
#include "graphs/graph_edges.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semblance::sources {
namespace {

using Ends = std::pair<std::uint32_t, std::uint32_t>;

Ends ends_of(const GraphEdge& edge) { return {edge.from, edge.to}; }

}  // namespace

ListedEdges::ListedEdges(const SampleGraph& graph, std::size_t attributes, const Fail& fail)
    : graph_(graph), attributes_(attributes), reverse_(graph.edges.size(), no_edge) {
  std::vector<std::size_t> order(graph.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto ends = [&](std::size_t e) { return ends_of(graph.edges[e]); };
  std::ranges::stable_sort(order, {}, ends);
  const auto twice = std::ranges::adjacent_find(order, {}, ends);
  if (twice != order.end()) fail(twice[1], "is listed twice; remove one of the two");
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    const auto [from, to] = ends(e);
    const auto found = std::ranges::lower_bound(order, Ends{to, from}, {}, ends);
    if (found != order.end() && ends(*found) == Ends{to, from}) reverse_[e] = *found;
  }
}

bool ListedEdges::same_label(std::size_t edge) const {
  return graph_.edges[edge].label == graph_.edges[reverse_[edge]].label;
}

bool ListedEdges::same_attributes(std::size_t edge) const {
  const auto attribute = [&](std::size_t e) {
    return graph_.edge_attributes.begin() + static_cast<std::ptrdiff_t>(e * attributes_);
  };
  return std::equal(attribute(edge), attribute(edge) + static_cast<std::ptrdiff_t>(attributes_),
                    attribute(reverse_[edge]));
}

ListedEdges::Directions ListedEdges::directions() const {
  Directions count;
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    if (reverse_[e] == no_edge) continue;
    ++(!same_label(e)       ? count.other_label
       : same_attributes(e) ? count.same
                            : count.other_attributes);
  }
  return count;
}

SampleGraph ListedEdges::joined(const std::string& remedy, const Fail& fail) const {
  SampleGraph once{graph_.nodes, graph_.node_labels, {}, graph_.node_attributes, {}};
  for (std::size_t e = 0; e < reverse_.size(); ++e) {
    const std::size_t other = reverse_[e];
    if (other != no_edge && !(same_label(e) && same_attributes(e)))
      fail(std::max(e, other), std::string("has ") +
                                   (same_label(e) ? "other attributes" : "another label") +
                                   " than in the opposite direction; " + remedy);
    if (other < e) continue;
    once.edges.push_back(graph_.edges[e]);
    for (std::size_t k = 0; k < attributes_; ++k)
      once.edge_attributes.push_back(graph_.edge_attributes[e * attributes_ + k]);
  }
  return once;
}

}  // namespace semblance::sources
