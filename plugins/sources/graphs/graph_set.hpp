// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "row_dataset.hpp"
#include "row_facts.hpp"
#include "semblance/context.hpp"
#include "semblance/graph.hpp"

namespace semblance::sources {

/// Numbers the labels of nodes or of edges: first those that a model knows, then others in the
/// order of occurrence.
class GraphLabels {
 public:
  /// Begins with these names.
  void know(const std::vector<std::string>& names);
  std::uint32_t number(std::string_view label) {
    return static_cast<std::uint32_t>(names_.add(label));
  }
  std::size_t size() const noexcept { return names_.names().size(); }
  /// The new number of each label: those that `learned` marks have the places of their names in the
  /// natural order, which become `names`; the others follow. Not after know().
  std::vector<std::int32_t> sort(const std::vector<bool>& learned,
                                 std::vector<std::string>& names) const;

 private:
  ClassNames names_;
};

/// What all graphs of a data set have.
struct GraphParts {
  bool node_labels = false;
  bool edge_labels = false;
  std::size_t node_attributes = 0;
  std::size_t edge_attributes = 0;

  bool operator==(const GraphParts&) const = default;
};

/// The memory of a graph in bytes.
double bytes_of(const SampleGraph& graph) noexcept;

/// "node labels and 3 edge attributes"; "neither labels nor attributes"
std::string describe(const GraphParts& parts);

/// Graphs as they are read from one or two files.
struct GraphSet : RowFacts {
  std::vector<SampleGraph> graphs;
  std::optional<GraphParts> parts;  ///< known once the first graph is read, or from a model
  bool directed = false;
  GraphLabels node_labels;
  GraphLabels edge_labels;
  ColumnPrecision node_precision;  ///< of each attribute of nodes
  ColumnPrecision edge_precision;
  std::size_t read = 0;  ///< graphs, also those that are dropped

  /// The memory of the graphs in bytes.
  double bytes() const noexcept;

  /// An empty set that knows what a model does of its graphs.
  static GraphSet known_by(const Layout& layout);

  /// The shape of the graphs, with the labels of the training graphs alone. Labels, which were read
  /// without a model, become sorted by name; those that only other graphs have are new.
  GraphShape learn(std::span<const std::size_t> training);
  /// The graphs as rows. Afterwards they are empty.
  SpillingRows written(const GraphShape& shape, Context& context);
};

}  // namespace semblance::sources
