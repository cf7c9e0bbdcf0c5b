// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rows/row_dataset.hpp"
#include "rows/row_facts.hpp"
#include "rows/table_source.hpp"
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

/// The common base of sources of graphs: from the graphs of one or two files to the opened data
/// set.
class GraphSource : public TableSource {
 public:
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;

 protected:
  GraphSource() : TableSource(Answers::words) {}

  template <class T>
  static void declare_empty(Declaration<T>& declaration) {
    declaration.parameter("empty", &GraphSource::empty_,
                          "what to do with graphs that have no node: refuse them, or drop them",
                          choices({"refuse", "drop"}));
  }
  bool drops_empty() const noexcept { return empty_ == "drop"; }
  /// The remedy for an edge that differs from that in the opposite direction.
  std::string remedy_of_directions() const {
    return model() ? "correct one of them, since the model's edges are undirected"
                   : "correct one of them, or set 'edges: directed'";
  }

  /// Appends the graphs of a file. A set that has graphs, or knows what a model does, says which
  /// parts and which direction they must have. Adds to GraphSet::read the number of graphs that
  /// the file has, and to its numbers those of the graphs that are not dropped. Throws
  /// DataError.
  virtual void read(const std::string& file, const FactRules& rules, GraphSet& set,
                    Context& context) const = 0;

 private:
  std::string empty_ = "refuse";
};

}  // namespace semblance::sources
