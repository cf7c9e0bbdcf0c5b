// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

namespace semblance {

/// JSON Schema of what stands below `study:`. Refers to the definitions of component_definitions.
nlohmann::ordered_json study_schema();

}  // namespace semblance
