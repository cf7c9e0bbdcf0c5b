// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "semblance/component_info.hpp"

namespace semblance {

/// JSON Schema of the value of a parameter of any type except component: it accepts what read_value
/// accepts in a file read as YAML 1.2. It cannot distinguish 8.0 from 8, 010 from 10 or True from
/// true: these are equal to every YAML reader, and only read_value refuses them. In a mapping,
/// read_value also refuses unquoted words such as `yes`, and integers of more than 64 bits.
nlohmann::ordered_json value_schema(const ParameterInfo& info);

/// A scalar that is read as text: `path: 2024` is the text 2024. With `nothing`, it may be empty.
nlohmann::ordered_json text_schema(bool nothing = false);

/// A seed: a non-negative integer of 64 bits.
nlohmann::ordered_json seed_schema(const std::string& description);

/// The names of nodes.
inline constexpr const char* node_name_pattern = "^[A-Za-z_][A-Za-z0-9_]*$";

/// A reference to a node's name; it is read as text, and `true` is one.
nlohmann::ordered_json node_name_schema();

/// Adds the deprecated names of keys below `path`, which is empty or ends with a dot, to an
/// object's properties: what they accept is that of the names which have taken their place. Where
/// one of these is required, either is enough.
void add_deprecated_keys(nlohmann::ordered_json& object, const std::vector<FormerName>& names,
                         const std::string& path = "");

/// The description of a parameter in an editor: its documentation, range, unit and default.
std::string describe_parameter(const ParameterInfo& info);

}  // namespace semblance
