// SPDX-License-Identifier: MIT
#include "study/file_schema.hpp"

#include "pipeline/component_schema.hpp"
#include "pipeline/parameter_schema.hpp"
#include "pipeline/specification.hpp"
#include "study/study_schema.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// A name that YAML reads as a number is still a name: 2024, 1e5.
Json name_schema() {
  Json json = text_schema();
  json["description"] = "the name of the pipeline: letters, digits, _ and -";
  json["pattern"] = "^[A-Za-z0-9_-]+$";
  json["patternErrorMessage"] = "use only letters, digits, _ and -";
  return json;
}

Json description_schema() {
  Json json = text_schema(true);
  json["description"] = "what the pipeline is for";
  return json;
}

Json nodes_schema() {
  return {{"description", "the nodes by name, NAME: {is: kind/name, ...}"},
          {"type", "object"},
          {"minProperties", 1},
          {"maxProperties", most_nodes},
          {"propertyNames",
           {{"pattern", node_name_pattern},
            {"patternErrorMessage", "use letters, digits and _, not starting with a digit"}}},
          {"additionalProperties", definition_reference("node")}};
}

}  // namespace

Json pipeline_schema(const Catalogue& catalogue) {
  Json json = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"description", "a Semblance pipeline or study"},
               {"type", "object"}};
  json["properties"] = {{"name", name_schema()},
                        {"description", description_schema()},
                        {"seed", seed_schema("the seed of all random numbers (default 1)")},
                        {"study", study_schema(catalogue)},
                        {"select", selection_schema(catalogue)},
                        {"nodes", nodes_schema()}};
  json["properties"]["seed"]["default"] = 1;
  json["additionalProperties"] = false;
  // A study may take the pipeline from another file, and then all nodes come from there.
  json["if"]["properties"]["study"]["required"] = Json::array({"pipeline"});
  json["if"]["required"] = Json::array({"study"});
  json["then"]["properties"]["nodes"] = false;
  json["else"]["required"] = {"name", "nodes"};
  json["definitions"] = component_definitions(catalogue);
  return json;
}

}  // namespace semblance
