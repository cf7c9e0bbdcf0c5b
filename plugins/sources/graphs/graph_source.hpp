// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "graphs/graph_set.hpp"
#include "table_source.hpp"

namespace semblance::sources {

/// The common base of sources of graphs: from the graphs of one or two files to the opened data
/// set.
class GraphSource : public TableSource {
 public:
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;

 protected:
  GraphSource() : TableSource(Answers::words) {}

  template <class T>
  static void declare_target(Declaration<T>& declaration, const char* classes_and_numbers,
                             const char* label_place) {
    declare_target_word(declaration, classes_and_numbers);
    declare_label_use(declaration, label_place);
  }
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
