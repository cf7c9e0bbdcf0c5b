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

/// The arguments of --set as sources of their own, after the files in order.
std::vector<SourceText> override_sources(const std::vector<std::string>& arguments);

/// Who changes a pipeline: this decides what is allowed and what deserves a warning.
enum class ChangeOrigin {
  command_line,
  file  ///< of variants: may add nodes; keys that are left out after a swap are no news
};

/// Reads the arguments; malformed ones are reported and skipped. `sources` must outlive
/// the result.
std::vector<Override> parse_overrides(const std::vector<SourceText>& sources, Problems& problems);

/// Changes the tree of a pipeline, in order. If an `is` is changed, the keys that only the
/// former component knew are dropped, unless an override gave them; from the command line with a
/// warning.
void apply_overrides(const std::vector<Override>& overrides, const Catalogue& catalogue,
                     YamlNode& root, Problems& problems,
                     ChangeOrigin origin = ChangeOrigin::command_line);

}  // namespace semblance
