// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// One PATH=VALUE of --set.
struct Override {
  const SourceText* source = nullptr;
  std::vector<YamlNode> path;  ///< scalars: nodes, svm, C
  YamlNode value;
};

/// Reads the arguments; those that are malformed are reported and left out. `sources` must outlive
/// the result.
std::vector<Override> parse_overrides(const std::vector<SourceText>& sources, Problems& problems);

/// Changes the tree of a pipeline, in order. Where an `is` is changed, the keys from the file that
/// only the former component knew are dropped, with a warning.
void apply_overrides(const std::vector<Override>& overrides, const Catalogue& catalogue,
                     YamlNode& root, Problems& problems);

}  // namespace semblance
