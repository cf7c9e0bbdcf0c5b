// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "semblance/graph.hpp"

namespace semblance::sources {

/// For each edge the edge in the opposite direction; a loop's is itself. `no_edge`: there is none.
inline constexpr std::size_t no_edge = static_cast<std::size_t>(-1);

/// The edges of one graph, as a file lists them, in both directions or in one.
class ListedEdges {
 public:
  /// Takes an edge, by its position in the list, and what is wrong with it; does not return.
  using Fail = std::function<void(std::size_t edge, const std::string& what)>;

  /// `attributes`: numbers per edge. Calls fail() if an edge is listed twice in one direction.
  ListedEdges(const SampleGraph& graph, std::size_t attributes, const Fail& fail);

  /// How edges compare with those in the opposite direction.
  struct Directions {
    std::size_t same = 0;              ///< with the same label and attributes
    std::size_t other_attributes = 0;  ///< with the same label only
    std::size_t other_label = 0;
  };
  Directions directions() const;

  /// The graph with each edge once. Calls fail(), with the remedy, if both directions differ in
  /// label or attributes.
  SampleGraph joined(const std::string& remedy, const Fail& fail) const;

 private:
  bool same_label(std::size_t edge) const;
  bool same_attributes(std::size_t edge) const;

  const SampleGraph& graph_;
  std::size_t attributes_;
  std::vector<std::size_t> reverse_;
};

}  // namespace semblance::sources
