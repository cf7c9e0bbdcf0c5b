// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "semblance/component_info.hpp"

namespace semblance {

/// A declaration as JSON: printed by `list --json` and `describe --json`, and stored for each
/// plugin so that listing needs no loading.
nlohmann::ordered_json to_json(const ComponentInfo& info);

/// Throws nlohmann::json::exception when something is missing.
ComponentInfo component_info_from_json(const nlohmann::ordered_json& json);

nlohmann::ordered_json value_to_json(const Value& value);
Value value_from_json(const nlohmann::ordered_json& json, ParameterType type);

}  // namespace semblance
