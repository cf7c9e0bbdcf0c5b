// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// The values by name of a parameter of type mapping. An unquoted value is a number, true, false,
/// null or otherwise text. Words that some YAML readers, or Python, take for one of the former are
/// refused. Nothing: errors were reported, each at its value's place.
std::optional<NamedValues> read_mapping(const ParameterInfo& info, const YamlNode& node,
                                        Problems& problems);

}  // namespace semblance
