// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/catalogue.hpp"

namespace semblance {

/// The component that the value of an `is` names; nullptr: reported. If `kind` is given, the
/// component must be of that kind.
const Catalogue::Entry* find_component(const YamlNode& id, const Catalogue& catalogue,
                                       Problems& problems, std::string_view kind = "");

/// "did you mean 'similarity/rbf'?" for an id that is unknown: the part after the slash may be
/// right, or nearly; empty: nothing is near.
std::string meant_component(const Catalogue& catalogue, const std::string& id);

/// Ids of all components of a kind; of all kinds if it is empty.
std::vector<std::string> ids_of_kind(const Catalogue& catalogue, std::string_view kind);

/// "components of kind feature: feature/hog and feature/pixels", or that there is none.
std::string list_kind(const Catalogue& catalogue, std::string_view kind);

/// Whether it has the interface that a parameter of its kind requires; a solver of pairs does not.
bool can_be_part(const ComponentInfo& info);

/// For messages: "samples", "a basis", ...
std::string phrase(PortType type);
/// The same of what an input takes, which may be one of several: "scores or estimates".
std::string phrase(const ComponentInfo& info, const std::string& input);

}  // namespace semblance
