// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// The values by name of a parameter of type mapping. What is written without quotes is a number,
/// true, false, null or else a text; words that some readers of YAML, or of Python, take for one of
/// the former are refused. Nothing: reported, each value at its own place.
std::optional<NamedValues> read_mapping(const ParameterInfo& info, const YamlNode& node,
                                        Problems& problems);

}  // namespace semblance
