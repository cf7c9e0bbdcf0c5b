// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/catalogue.hpp"
#include "study/study_specification.hpp"

namespace semblance {

/// Removes the node `name` from the pipeline: its consumers take its own input instead.
void bypass_node(YamlNode& root, const YamlNode& name, const Catalogue& catalogue,
                 Problems& problems);

/// Removes the nodes `names` from the pipeline and from the lists that they feed.
void drop_nodes(YamlNode& root, const std::vector<YamlNode>& names, const Catalogue& catalogue,
                Problems& problems);

/// Removes unused nodes repeatedly, until none remains; solvers and evaluators are results and
/// stay. Returns the names of the remaining nodes.
std::set<std::string> prune(YamlNode& root, const Catalogue& catalogue);

/// The pipeline `base` with the study's own changes, one alternative of each slot and the changes
/// of a repeat. Nodes that become unused are removed; `used` gains the names of the remaining ones.
YamlNode varied_tree(const YamlNode& base, const StudySpecification& study,
                     const std::vector<std::size_t>& choices, const Repeat& repeat,
                     const Catalogue& catalogue, std::set<std::string>& used, Problems& problems);

}  // namespace semblance
