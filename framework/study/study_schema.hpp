// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "registry/catalogue.hpp"

namespace semblance {

/// JSON Schema of what stands below `study:`. Refers to the definitions of component_definitions.
/// Nodes, also those that an alternative puts in, must be whole by themselves: that another
/// alternative completes them is beyond a schema.
nlohmann::ordered_json study_schema(const Catalogue& catalogue);

/// The same of `select:`.
nlohmann::ordered_json selection_schema(const Catalogue& catalogue);

}  // namespace semblance
