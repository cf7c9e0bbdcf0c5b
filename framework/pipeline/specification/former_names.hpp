// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// Replaces former names (FormerName) by current ones, so that nothing else needs to know them:
/// ids, parameters and their values in any components of the tree, and the program's own keys.
/// Warns of those that are deprecated, and reports those that are gone. In a model, which an
/// earlier version has written, both are read without a word, and a parameter that is gone is
/// omitted where it had its usual value.
void use_current_names(YamlNode& root, const Catalogue& catalogue, Problems& problems,
                       bool of_model = false);

/// The same for one key of a component, `body`, on a path such as nodes.svm.C.
void use_current_key(const YamlNode& body, YamlNode& key, const Catalogue& catalogue,
                     Problems& problems);

/// The same for the program's own keys on a path.
void use_current_path(std::vector<YamlNode>& path, Problems& problems);

}  // namespace semblance
