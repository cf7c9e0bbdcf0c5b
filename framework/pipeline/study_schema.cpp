// SPDX-License-Identifier: MIT
#include "pipeline/study_schema.hpp"

#include <limits>
#include <string>

#include "pipeline/component_schema.hpp"
#include "pipeline/parameter_schema.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Of slots and alternatives: letters, digits, _, - and a point; alternatives may be numbers.
constexpr const char* label_pattern = "^[A-Za-z0-9_.-]+$";
/// A dotted path below nodes, as --set takes it.
constexpr const char* path_pattern = "^nodes\\.[A-Za-z_][A-Za-z0-9_]*\\.[^.=]+(\\.[^.=]+)*$";
constexpr const char* whole_node_pattern = "^nodes\\.[A-Za-z_][A-Za-z0-9_]*$";

Json described(const std::string& text, Json schema) {
  Json json = {{"description", text}};
  json.update(schema);
  return json;
}

Json label() {
  return {{"type", {"string", "number", "boolean"}},
          {"pattern", label_pattern},
          {"patternErrorMessage", "a name is made of letters, digits, _, - and ."}};
}

Json labels_as_keys() {
  Json json = label();
  json.erase("type");
  return json;
}

/// `schema`, or a list of at least one of it. `schema` must not have a key that lists have.
Json one_or_several(const Json& schema) {
  Json json = schema;
  json["type"] = json["type"].is_array() ? json["type"] : Json::array({json["type"]});
  json["type"].push_back("array");
  json["items"] = schema;
  json["minItems"] = 1;
  return json;
}

Json path() {
  return {{"type", "string"},
          {"pattern", path_pattern},
          {"patternErrorMessage", "write a path as --set takes it, like nodes.svm.C"}};
}

Json values() { return {{"type", "array"}, {"minItems", 1}}; }

/// Changes to the pipeline, all applied together; none: the pipeline as it is.
Json alternative_schema() {
  return {{"type", "object"},
          {"properties",
           {{"bypass", described("nodes whose consumers take their input instead",
                                 one_or_several(node_name_schema()))},
            {"drop", described("nodes that are taken out of the lists they feed",
                               one_or_several(node_name_schema()))}}},
          {"patternProperties",
           {{whole_node_pattern, definition_reference("node")},
            {path_pattern, Json{{"description", "what --set would put here"}}}}},
          {"additionalProperties", false}};
}

/// The short form of a slot, one parameter and its values, or the long one, alternatives by name.
/// An alternative is a mapping, so that one may have the name of a key of the short form.
Json slot_schema() {
  const Json short_form = {
      {"properties",
       {{"path", described("the parameter, like nodes.svm.C; several take the same value",
                           one_or_several(path()))},
        {"values", described("its values, each an alternative", values())}}},
      {"required", {"path", "values"}},
      {"additionalProperties", false}};
  const Json long_form = {{"minProperties", 1},
                          {"propertyNames", labels_as_keys()},
                          {"additionalProperties", alternative_schema()}};
  const auto given = [](const char* key, Json types) {
    return Json{{"properties", {{key, {{"type", std::move(types)}}}}},
                {"required", Json::array({key})}};
  };
  return {{"type", "object"},
          {"if", {{"anyOf", {given("path", {"string", "array"}), given("values", "array")}}}},
          {"then", short_form},
          {"else", long_form}};
}

Json choices_schema(const std::string& text, const Json& alternative) {
  return described(text, {{"type", "array"},
                          {"minItems", 1},
                          {"items",
                           {{"type", "object"},
                            {"minProperties", 1},
                            {"propertyNames", labels_as_keys()},
                            {"additionalProperties", alternative}}}});
}

Json combine_schema() {
  Json json = choices_schema(
      "product: every alternative of every slot with every other; or a list of combinations, each "
      "slot: alternative",
      label());
  json["type"] = {"string", "array"};
  json["pattern"] = "^product$";
  json["patternErrorMessage"] = "write product, or a list of combinations";
  json["default"] = "product";
  return json;
}

Json repeats_schema() {
  Json json = described("every variant several times", {{"type", "object"}});
  json["properties"] = {
      {"seeds", described("how many seeds, or which", {{"type", {"integer", "array"}},
                                                       {"minimum", 1},
                                                       {"minItems", 1},
                                                       {"uniqueItems", true},
                                                       {"items", seed_schema("a seed")}})},
      {"path", described("the parameter that differs, like nodes.images.train_folds", path())},
      {"values", described("its values, each a repeat", values())}};
  json["additionalProperties"] = false;
  json["if"]["required"] = Json::array({"seeds"});
  json["then"]["maxProperties"] = 1;
  json["else"]["required"] = {"path", "values"};
  return json;
}

}  // namespace

Json study_schema() {
  Json json = described("a study: variants of a pipeline, run and compared", {{"type", "object"}});
  json["properties"] = {
      {"pipeline", described("the pipeline's file, relative to this one; else nodes are given here",
                             {{"type", {"string", "number", "boolean"}}, {"minLength", 1}})},
      {"metric", described("the figure that is compared, NODE.FIGURE, like test.error_rate",
                           {{"type", "string"},
                            {"pattern", "^[A-Za-z_][A-Za-z0-9_]*\\..+$"},
                            {"patternErrorMessage", "write NODE.FIGURE, like test.error_rate"}})},
      {"better", described("which of two figures wins",
                           {{"enum", {"lower", "higher"}}, {"default", "lower"}})},
      {"slots", described("what is varied: in each slot stands one of its alternatives",
                          {{"type", "object"},
                           {"minProperties", 1},
                           {"propertyNames", labels_as_keys()},
                           {"additionalProperties", slot_schema()}})},
      {"combine", combine_schema()},
      {"only",
       choices_schema("only combinations that agree with one of these", one_or_several(label()))},
      {"exclude",
       choices_schema("no combination that agrees with one of these", one_or_several(label()))},
      {"repeats", repeats_schema()},
      {"baseline", described("the variant the others are compared with, slot: alternative",
                             {{"type", "object"},
                              {"minProperties", 1},
                              {"propertyNames", labels_as_keys()},
                              {"additionalProperties", label()}})}};
  json["required"] = {"metric", "slots"};
  json["additionalProperties"] = false;
  return json;
}

}  // namespace semblance
