// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pipeline/specification/specification.hpp"
#include "pipeline/yaml/problems.hpp"

namespace semblance {

/// One node feeding another's input.
struct Edge {
  std::size_t node = 0;  ///< the feeding node
  const PortInfo* port = nullptr;
  Place place;  ///< of the reference
};

/// The nodes of a specification, connected; indices are those of Specification::nodes.
struct Graph {
  std::vector<std::vector<Edge>> inputs;  ///< of each node, in the order of its ports
  std::vector<char> used;                 ///< something takes its output, or seems to want to
  std::set<PortType> wanting;             ///< the types that the reported inputs would have
                                          ///< accepted
  std::vector<char> sound;                ///< all inputs are there and of the right type
  std::vector<std::size_t> order;         ///< topological; without the nodes that follow a cycle
  std::vector<std::vector<LayoutKind>> layouts;    ///< possible layouts of each node; empty:
                                                   ///< unknown
  std::vector<std::optional<std::size_t>> origin;  ///< the source of each node's rows
};

/// Finds the nodes that inputs name, and checks port types.
Graph connect(const Specification& specification, const Catalogue& catalogue, Problems& problems);

/// Fills `order`; ties follow the order of the file. Reports cycles.
void sort_graph(const Specification& specification, Graph& graph, Problems& problems);

/// Fills `layouts` and `origin` along the order, and reports mismatches.
void propagate(const Specification& specification, const Catalogue& catalogue, Graph& graph,
               Problems& problems);

/// Reports nodes that get missing values and do not accept them. Creates the sources of nodes whose
/// components are sound.
void check_missing_values(const Specification& specification, const Catalogue& catalogue,
                          const Graph& graph, Problems& problems);

/// Reports solvers that ignore weights but follow sources whose samples have them. Creates sources
/// like check_missing_values().
void check_row_weights(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems);

/// Reports components that learn from classes where a source gives numbers or nothing as targets,
/// and the other way round; `of_model`: targets may be missing. Creates sources like
/// check_missing_values().
void check_targets(const Specification& specification, const Catalogue& catalogue,
                   const Graph& graph, bool of_model, Problems& problems);

/// Reports nodes that make folds by group of a source whose samples have no groups. Creates sources
/// like check_missing_values().
void check_row_groups(const Specification& specification, const Catalogue& catalogue,
                      const Graph& graph, Problems& problems);

/// Reports what keeps a calibrator with `folds: leave_one_out` from its scores: a solver that must
/// be trained again without each sample, a node before it that learns from samples, or groups.
void check_left_out(const Specification& specification, const Catalogue& catalogue,
                    const Graph& graph, Problems& problems);

/// Whether the samples of a source have groups (Source::gives_groups()). Creates it.
bool gives_groups(const ComponentConfig& source, const Catalogue& catalogue);
/// Advice for a source whose samples need groups and have none.
std::string no_groups_help(const std::string& source);

/// Reports calibrators that do not follow a solver, or whose source's samples are not all held out
/// in turn.
void check_calibrators(const Specification& specification, const Catalogue& catalogue,
                       const Graph& graph, Problems& problems);

/// Reports unused nodes, and a pipeline without result.
void check_purpose(const Specification& specification, const Graph& graph, Problems& problems);

/// The declaration of a node's component; nullptr if it is unknown.
inline const ComponentInfo* info_of(const NodeSpecification& node) noexcept {
  return node.component.entry ? &node.component.entry->info : nullptr;
}

}  // namespace semblance
