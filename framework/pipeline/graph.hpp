// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/problems.hpp"
#include "pipeline/specification.hpp"

namespace semblance {

/// One node feeding another's input.
struct Edge {
  std::size_t node = 0;  ///< that feeds
  const PortInfo* port = nullptr;
  Place place;  ///< of the reference
};

/// The nodes of a specification, connected; indices are those of Specification::nodes.
struct Graph {
  std::vector<std::vector<Edge>> inputs;  ///< of each node, in the order of its ports
  std::vector<char> used;                 ///< something takes its output, or seems to want to
  std::set<PortType> wanting;             ///< what the reported inputs would have taken
  std::vector<char> sound;                ///< all inputs are there and of the right type
  std::vector<std::size_t> order;         ///< topological; without the nodes behind a cycle
  std::vector<std::vector<LayoutKind>> layouts;    ///< each may have; empty: not known
  std::vector<std::optional<std::size_t>> origin;  ///< the source of each node's rows
};

/// Finds the nodes that inputs name, and checks the ports' types.
Graph connect(const Specification& specification, const Catalogue& catalogue, Problems& problems);

/// Fills `order`: first the nodes that come first in the file. Reports cycles.
void sort_graph(const Specification& specification, Graph& graph, Problems& problems);

/// Fills `layouts` and `origin` along the order, and reports mismatches.
void propagate(const Specification& specification, const Catalogue& catalogue, Graph& graph,
               Problems& problems);

/// Reports nodes that are given missing values and do not take them. Creates the sources: for nodes
/// whose components are sound.
void check_missing_values(const Specification& specification, const Catalogue& catalogue,
                          const Graph& graph, Problems& problems);

/// Reports solvers that do not mind weights, behind sources whose rows have them. Like
/// check_missing_values().
void check_row_weights(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems);

/// Reports nodes that make folds by group of a source whose rows have none. Like
/// check_missing_values().
void check_row_groups(const Specification& specification, const Catalogue& catalogue,
                      const Graph& graph, Problems& problems);

/// Whether the rows of a source have groups (Source::gives_groups()). Creates it.
bool gives_groups(const ComponentConfig& source, const Catalogue& catalogue);
/// What to do where they have none and need some.
std::string no_groups_help(const std::string& source);

/// Reports calibrators that do not stand behind a solver, or whose source's rows are not all held
/// out in turn.
void check_calibrators(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems);

/// Reports nodes that nothing uses, and a pipeline without result.
void check_purpose(const Specification& specification, const Graph& graph, Problems& problems);

/// For messages: "samples", "a basis", ...
std::string phrase(PortType type);

/// The declaration of a node's component; nullptr if it is unknown.
inline const ComponentInfo* info_of(const NodeSpecification& node) noexcept {
  return node.component.entry ? &node.component.entry->info : nullptr;
}

}  // namespace semblance
