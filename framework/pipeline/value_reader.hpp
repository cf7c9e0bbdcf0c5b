// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "pipeline/problems.hpp"
#include "pipeline/yaml_tree.hpp"
#include "semblance/parameters.hpp"

namespace semblance {

/// The value of a parameter of any type except component, converted and checked against the
/// declaration. A path is returned as written. Nothing: reported.
std::optional<Value> read_value(const ParameterInfo& info, const YamlNode& node,
                                Problems& problems);

}  // namespace semblance
