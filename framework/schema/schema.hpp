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

/// JSON Schema of the content of `study:`. Refers to the definitions of component_definitions.
/// Nodes, also those that an alternative inserts, must be complete by themselves: a schema cannot
/// express that another alternative completes them.
nlohmann::ordered_json study_schema(const Catalogue& catalogue);

/// JSON Schema of the content of `select:`.
nlohmann::ordered_json selection_schema(const Catalogue& catalogue);

/// JSON Schema (draft-07) of pipelines and studies with the components of a catalogue, for editors:
/// suggestions with documentation, and errors. Accepts every pipeline that check_pipeline accepts.
/// Refuses other files if they are wrong by themselves, not because of their place in the graph or
/// on disk. The same catalogue gives the same schema.
nlohmann::ordered_json pipeline_schema(const Catalogue& catalogue);

}  // namespace semblance
