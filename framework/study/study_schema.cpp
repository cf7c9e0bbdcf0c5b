// SPDX-License-Identifier: MIT
#include "study/study_schema.hpp"

#include <set>
#include <string>

#include "pipeline/component_schema.hpp"
#include "pipeline/parameter_schema.hpp"
#include "registry/figures.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Names of slots and alternatives.
constexpr const char* label_pattern = "^[A-Za-z0-9_.+-]{1,60}$";
/// A value names its alternative; of an id, what follows the slash does.
constexpr const char* value_pattern = "(^|/)[A-Za-z0-9_.+-]{1,60}$";
/// A dotted path below nodes or select, as --set takes it.
constexpr const char* path_pattern = "^(nodes\\.[A-Za-z_][A-Za-z0-9_]*|select)(\\.[^.]+)+$";
constexpr const char* whole_node_pattern = "^nodes\\.[A-Za-z_][A-Za-z0-9_]*$";
/// The most repeats that `seeds: N` gives.
constexpr int most_seeds = 1000;
/// The most folds of a cross-validation.
constexpr int most_folds = 1000;

Json described(const std::string& text, const Json& schema) {
  Json json = {{"description", text}};
  json.update(schema);
  return json;
}

Json label_keys() {
  return {{"pattern", label_pattern},
          {"patternErrorMessage", "a name is made of letters, digits, _, -, + and ."}};
}

Json label() {
  Json json = text_schema();
  json.update(label_keys());
  return json;
}

/// `schema`, or a list of it. `schema` must have `type`, and no key that speaks of lists.
Json one_or_list(const Json& schema) {
  Json json = schema;
  if (!json["type"].is_array()) json["type"] = Json::array({json["type"]});
  json["type"].push_back("array");
  json["items"] = schema;
  return json;
}

Json one_or_several(const Json& schema) {
  Json json = one_or_list(schema);
  json["minItems"] = 1;
  return json;
}

Json path() {
  return {{"type", "string"},
          {"pattern", path_pattern},
          {"patternErrorMessage", "write a path as --set takes it, like nodes.svm.C"}};
}

Json values() {
  Json value = {{"type", {"string", "number", "boolean", "array"}}};
  value["pattern"] = value_pattern;
  value["patternErrorMessage"] = "this cannot name an alternative: write NAME: {PATH: VALUE}";
  return {{"type", "array"}, {"minItems", 1}, {"items", value}};
}

/// Changes to the pipeline, all applied together; none: the pipeline as it is.
Json alternative_schema() {
  Json json = {{"type", {"object", "null"}}};
  json["properties"]["bypass"] = described("nodes whose consumers take their input instead",
                                           one_or_several(node_name_schema()));
  json["properties"]["drop"] = described("nodes that are taken out of the lists they feed",
                                         one_or_several(node_name_schema()));
  json["patternProperties"][whole_node_pattern] = definition_reference("node");
  json["patternProperties"][path_pattern] = described("as --set would set it", Json::object());
  json["additionalProperties"] = false;
  return json;
}

/// The short form of a slot, one parameter and its values, or the long one, alternatives by name.
Json slot_schema() {
  Json json = {{"type", "object"}};
  json["if"]["anyOf"] = {{{"required", Json::array({"path"})}},
                         {{"required", Json::array({"values"})}}};
  Json& short_form = json["then"];
  short_form["properties"]["path"] = described(
      "the parameter, like nodes.svm.C; several take the same value", one_or_several(path()));
  short_form["properties"]["values"] = described("its values, each an alternative", values());
  short_form["required"] = {"path", "values"};
  short_form["additionalProperties"] = false;
  Json& long_form = json["else"];
  long_form["minProperties"] = 1;
  long_form["propertyNames"] = label_keys();
  long_form["additionalProperties"] = alternative_schema();
  return json;
}

Json slots_schema(const std::string& description) {
  return {{"description", description},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", label_keys()},
          {"additionalProperties", slot_schema()}};
}

/// Of some slots which alternatives.
Json selector_schema() {
  return {{"type", "object"},
          {"minProperties", 1},
          {"propertyNames", label_keys()},
          {"additionalProperties", one_or_list(label())}};
}

Json combine_schema() {
  return {{"description",
           "product: every alternative of every slot with every other; or a list of combinations, "
           "each slot: alternative"},
          {"default", "product"},
          {"type", {"string", "array"}},
          {"pattern", "^product$"},
          {"patternErrorMessage", "write product, or a list of combinations"},
          {"minItems", 1},
          {"items", selector_schema()}};
}

Json seeds_schema() {
  return {{"description", "how many seeds, or which"},
          {"type", {"integer", "array"}},
          {"minimum", 1},
          {"maximum", most_seeds},
          {"minItems", 1},
          {"uniqueItems", true},
          {"items", seed_schema("a seed")}};
}

Json repeats_schema() {
  Json json = {{"description", "every combination several times"}, {"type", "object"}};
  json["properties"]["seeds"] = seeds_schema();
  json["properties"]["path"] = described(
      "the parameter that differs, like nodes.images.train_folds", one_or_several(path()));
  json["properties"]["values"] = described("its values, each a repeat", values());
  json["additionalProperties"] = false;
  json["if"]["required"] = Json::array({"seeds"});
  json["then"]["maxProperties"] = 1;
  json["else"]["required"] = {"path", "values"};
  return json;
}

/// All figures that evaluators and solvers declare, as a regular expression.
std::string figure_pattern(const Catalogue& catalogue) {
  std::set<std::string> names;
  for (const auto* entry : catalogue.entries())
    if (entry->info.kind() == "evaluator" || entry->info.kind() == "solver")
      for (const std::string& figure : comparable_figures(entry->info.figures))
        names.insert(figure);
  std::string pattern;
  for (std::string figure : names) {
    if (const std::size_t star = figure.find('*'); star != std::string::npos)
      figure.replace(star, 1, "[a-z0-9_]+");
    pattern += (pattern.empty() ? "" : "|") + figure;
  }
  return pattern.empty() ? ".+" : "(" + pattern + ")";
}

Json metric_schema(const Catalogue& catalogue) {
  return {
      {"description", "the figure that is compared, NODE.FIGURE, like test.error_rate"},
      {"type", "string"},
      {"pattern", "^[A-Za-z_][A-Za-z0-9_]*\\." + figure_pattern(catalogue) + "$"},
      {"patternErrorMessage",
       "write NODE.FIGURE, like test.error_rate: a figure that an evaluator or solver reports"}};
}

Json better_schema() {
  return {{"description",
           "which of two values of the metric wins; may be left out where the figure's declaration "
           "says it"},
          {"enum", {"lower", "higher"}}};
}

Json only_schema() {
  return described("combinations that agree with one of these alone",
                   one_or_list(selector_schema()));
}

Json exclude_schema() {
  return described("no combination that agrees with one of these", one_or_list(selector_schema()));
}

Json folds_schema() {
  return {{"description", "into how many parts the training rows are divided"},
          {"type", "integer"},
          {"minimum", 2},
          {"maximum", most_folds},
          {"default", 5}};
}

Json over_schema() {
  Json json = text_schema();
  json["description"] =
      "the slot whose alternatives are data sets: the others' are compared over "
      "them, by the mean over the repeats of each";
  json["minLength"] = 1;
  return json;
}

Json pipeline_file_schema() {
  Json json = text_schema();
  json["description"] = "the file of the pipeline, relative to this one; else nodes are here";
  json["minLength"] = 1;
  return json;
}

/// What a step chooses, and changes to the pipeline as those of an alternative.
Json step_schema() {
  Json json = alternative_schema();
  json["type"] = "object";
  json["properties"]["choose"] = described(
      "the slots whose alternatives it compares, to go on with the best", one_or_several(label()));
  json["properties"]["within"] = {
      {"description",
       "the first combination is taken that is worse than the best by this share of it at most"},
      {"type", "number"},
      {"minimum", 0},
      {"exclusiveMaximum", 1},
      {"default", 0}};
  json["required"] = Json::array({"choose"});
  return json;
}

Json steps_schema() {
  return {{"description",
           "the study in steps, one after another: each goes on with what those before it chose"},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", label_keys()},
          {"additionalProperties", step_schema()}};
}

}  // namespace

Json study_schema(const Catalogue& catalogue) {
  Json json = {{"description", "a study: variants of a pipeline, run and compared"},
               {"type", "object"}};
  json["properties"] = {{"pipeline", pipeline_file_schema()},
                        {"metric", metric_schema(catalogue)},
                        {"better", better_schema()},
                        {"slots", slots_schema("what is varied: in each slot stands one of its "
                                               "alternatives")},
                        {"combine", combine_schema()},
                        {"only", only_schema()},
                        {"exclude", exclude_schema()},
                        {"repeats", repeats_schema()},
                        {"baseline", described("the combination that the others are compared with",
                                               selector_schema())},
                        {"over", over_schema()},
                        {"steps", steps_schema()}};
  json["required"] = {"metric", "slots"};
  json["additionalProperties"] = false;
  return json;
}

Json selection_schema(const Catalogue& catalogue) {
  Json json = {{"description", "parameters that are chosen by stratified k-fold cross-validation"},
               {"type", "object"}};
  json["properties"] = {
      {"metric", metric_schema(catalogue)},
      {"better", better_schema()},
      {"folds", folds_schema()},
      {"parameters", slots_schema("what is chosen; without, the pipeline is only validated")},
      {"combine", combine_schema()},
      {"only", only_schema()},
      {"exclude", exclude_schema()}};
  json["required"] = {"metric"};
  json["additionalProperties"] = false;
  return json;
}

}  // namespace semblance
