// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/graph.hpp"

namespace semblance::graphs {

/// A colour of the Weisfeiler-Lehman algorithm as a hash of 64 bits that depends on nothing but
/// the node's neighbourhood, so that equal neighbourhoods of any two graphs have equal colours.
/// Different ones are equal with the probability of a random collision: 3e-8 among a million.
using Colour = std::uint64_t;

/// The finalizer of SplitMix64, a bijection: every bit of the result depends on every bit of x.
constexpr std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// What colours distinguish.
struct ColourRule {
  std::size_t depth = 0;     ///< refinements after the first colours
  bool directed = false;     ///< successors and predecessors are different neighbours
  bool edge_labels = false;  ///< neighbours along edges of different labels are different
};

/// The colours of all nodes in refinements 0 to `depth`, one refinement after the other. The first
/// colour of a node is its label; the next one is made of its own and those of its neighbours.
/// Colours of different refinements differ. With `marks`, one per node, nodes of different marks
/// have different first colours.
std::vector<Colour> node_colours(const GraphView& graph, const ColourRule& rule,
                                 std::span<const std::uint64_t> marks = {});

}  // namespace semblance::graphs
