// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "registry/catalogue.hpp"

namespace semblance {

/// JSON Schema of the content of `study:`. Refers to the definitions of component_definitions.
/// Nodes, also those that an alternative inserts, must be complete by themselves: a schema cannot
/// express that another alternative completes them.
nlohmann::ordered_json study_schema(const Catalogue& catalogue);

/// JSON Schema of the content of `select:`.
nlohmann::ordered_json selection_schema(const Catalogue& catalogue);

}  // namespace semblance
