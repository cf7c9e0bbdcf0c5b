// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/graph/node.hpp"

namespace semblance {

/// The whole pipeline, ready to be planned and run.
struct Compilation {
  std::size_t size() const noexcept { return nodes.size(); }
  Node& node(std::size_t i) const { return *nodes[i]; }
  template <class Kind>
  Kind& node_as(std::size_t i) const {
    return dynamic_cast<Kind&>(node(i));
  }
  const NodeFacts& facts(std::size_t i) const { return nodes[i]->facts(); }

  const Pipeline* pipeline = nullptr;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Outline>> outlines;
};

/// New data for a source of a trained model.
struct NewSource {
  std::string path;                ///< as NewData::path
  std::vector<std::string> given;  ///< as NewData::given
};

/// A trained model's facts about the nodes' rows, by node name, where new data have none.
struct KnownShapes {
  std::map<std::string, Layout> outputs;
  std::map<std::string, std::vector<std::string>> classes;  ///< of sources
  std::map<std::string, std::vector<std::string>> targets;  ///< of sources: names of the numbers
  std::map<std::string, std::vector<std::string>> columns;  ///< of sources: names, if they have any
  /// The sources whose rows differ from those of the training run.
  std::map<std::string, NewSource> changed = {};
  /// Nothing is read: rows will come from a program, and sources are as the model describes them.
  bool without_data = false;

  /// The layout of a node's rows. Throws Error where the model has no such node.
  const Layout& output_of(const std::string& node) const;

  /// Passes a changed source its new data; other sources stay as they are.
  void apply_to(Source& source, const std::string& node) const;
};

/// Throws Error where a node's solver, or one nested in it, has weights for classes that its source
/// does not have, or cannot weight the classes that there are.
void check_weighted_classes(const Node& node, const std::string& source,
                            const Catalogue& catalogue);

}  // namespace semblance
