// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "registry/catalogue.hpp"

namespace semblance {

/// JSON Schema definitions of everything that `is` can name, by name: `node`, any node;
/// `part.KIND`, a component of that kind as a parameter; and one definition for each component in
/// each of the two places. They express the checks of read_node and ComponentReader.
nlohmann::ordered_json component_definitions(const Catalogue& catalogue);

/// {"$ref": ...} to a definition.
nlohmann::ordered_json definition_reference(const std::string& name);

}  // namespace semblance
