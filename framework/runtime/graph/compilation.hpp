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
  const Pipeline* pipeline = nullptr;
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<Outline>> outlines;
};

/// New data for a source of a trained model.
struct NewSource {
  std::string path;                ///< as NewData::path
  std::vector<std::string> given;  ///< as NewData::given
};

/// What a trained model says of the nodes' rows, where new data cannot: by node name.
struct KnownShapes {
  std::map<std::string, Layout> outputs;
  std::map<std::string, std::vector<std::string>> classes;  ///< of sources
  std::map<std::string, std::vector<std::string>> columns;  ///< of sources: names, if they have any
  /// The sources that give other rows than they gave the training run.
  std::map<std::string, NewSource> changed = {};
  /// Nothing is read: rows will come from a program, and sources are as the model knows them.
  bool without_data = false;

  /// The layout of a node's rows. Throws Error where the model has no such node.
  const Layout& output_of(const std::string& node) const;

  /// Tells a source of it, where it is one of those.
  void apply_to(Source& source, const std::string& node) const;
};

}  // namespace semblance
