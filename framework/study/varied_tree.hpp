// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "study/study_specification.hpp"

namespace semblance {

/// The pipeline `base` with the study's own changes, one alternative of each slot and the changes
/// of a repeat. Nodes that become unused are removed; `used` gains the names of the remaining ones.
YamlNode varied_tree(const YamlNode& base, const StudySpecification& study,
                     const std::vector<std::size_t>& choices, const Repeat& repeat,
                     const Catalogue& catalogue, std::set<std::string>& used, Problems& problems);

}  // namespace semblance
