// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// Takes the node `name` out of the pipeline: what it fed takes its own input instead.
void bypass_node(YamlNode& root, const YamlNode& name, const Catalogue& catalogue,
                 Problems& problems);

/// Takes the nodes `names` out of the pipeline and of the lists that they feed.
void drop_nodes(YamlNode& root, const std::vector<YamlNode>& names, const Catalogue& catalogue,
                Problems& problems);

/// Removes the nodes that nothing uses any more, over and over; solvers and evaluators are results
/// and stay. Returns the names of what is left.
std::set<std::string> prune(YamlNode& root, const Catalogue& catalogue);

}  // namespace semblance
