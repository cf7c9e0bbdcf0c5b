// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// One PATH=VALUE of --set.
struct Override {
  const SourceText* source = nullptr;
  std::vector<YamlNode> path;  ///< scalars: nodes, svm, C
  YamlNode value;
};

/// The arguments of --set as separate sources, ordered after the files.
std::vector<SourceText> override_sources(const std::vector<std::string>& arguments);

/// The origin of a change: it decides what is allowed and what deserves a warning.
enum class ChangeOrigin {
  command_line,
  file  ///< of variants: may add nodes; no warning about keys dropped after a swap
};

/// Reads the arguments; malformed ones are reported and skipped. `sources` must outlive
/// the result.
std::vector<Override> parse_overrides(const std::vector<SourceText>& sources, Problems& problems);

/// Changes the tree of a pipeline, in order. If an `is` changes, the keys that only the former
/// component knew are dropped, unless an override gave them; from the command line, with a warning.
void apply_overrides(const std::vector<Override>& overrides, const Catalogue& catalogue,
                     YamlNode& root, Problems& problems,
                     ChangeOrigin origin = ChangeOrigin::command_line);

}  // namespace semblance
