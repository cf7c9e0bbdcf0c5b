// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include "pipeline/specification/specification.hpp"
#include "registry/figures.hpp"
#include "schema/parameter_schema.hpp"
#include "schema/schema.hpp"
#include "study/study_limits.hpp"
#include "support/former_names.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Names of slots and alternatives.
constexpr const char* label_pattern = "^[A-Za-z0-9_.+-]{1,60}$";

/// A value names its alternative; for an id, the part after the slash does.
constexpr const char* value_pattern = "(^|/)[A-Za-z0-9_.+-]{1,60}$";

/// A dotted path below nodes or select, as --set takes it.
constexpr const char* path_pattern =
    "^(nodes\\.[A-Za-z_][A-Za-z0-9_]*(\\.[^.]+)+|select(\\.[^.]+)*)$";

constexpr const char* whole_node_pattern = "^nodes\\.[A-Za-z_][A-Za-z0-9_]*$";

/// `schema` with further keys.
Json with(Json schema, const Json& keys) {
  schema.update(keys);
  return schema;
}

Json described(const std::string& text, const Json& schema) {
  return with({{"description", text}}, schema);
}

Json label_keys() {
  return {{"pattern", label_pattern},
          {"patternErrorMessage", "use only letters, digits, _, -, + and ."}};
}

Json label() { return with(text_schema(), label_keys()); }

/// `schema`, or a list of it. `schema` must have `type`, and no key about lists.
Json one_or_list(const Json& schema) {
  Json json = schema;
  if (!json["type"].is_array()) json["type"] = Json::array({json["type"]});
  json["type"].push_back("array");
  json["items"] = schema;
  return json;
}

Json one_or_several(const Json& schema) { return with(one_or_list(schema), {{"minItems", 1}}); }

Json path() {
  return {{"type", "string"},
          {"pattern", path_pattern},
          {"patternErrorMessage", "write a path as for --set, such as nodes.svm.C"}};
}

Json values() {
  Json value = {{"type", {"string", "number", "boolean", "array", "null"}}};
  value["pattern"] = value_pattern;
  value["patternErrorMessage"] = "this cannot name an alternative: write NAME: {PATH: VALUE}";
  return {{"type", "array"}, {"minItems", 1}, {"items", value}};
}

/// The properties and requirements of a parameter's values: a list, or a range.
void add_values(Json& json, const std::string& description) {
  Json& properties = json["properties"];
  properties["values"] = described(description, values());
  properties["from"] = {{"description", "the first value of a range"}, {"type", "number"}};
  properties["to"] = {{"description", "the last value of a range"}, {"type", "number"}};
  properties["steps"] = {{"description", "how many values a range has, both ends included"},
                         {"type", "integer"},
                         {"minimum", 2},
                         {"maximum", most_steps}};
  properties["scale"] = {
      {"description",
       "linear: equal differences between the values of a range; log: equal factors"},
      {"enum", {"linear", "log"}},
      {"default", "linear"}};
  Json list = {{"required", {"path", "values"}}};
  list["properties"]["scale"] = false;
  Json range = {{"required", {"path", "from", "to", "steps"}}};
  range["properties"]["values"] = false;
  range["if"]["properties"]["scale"]["const"] = "log";
  range["if"]["required"] = Json::array({"scale"});
  range["then"]["properties"]["from"]["exclusiveMinimum"] = 0;
  for (const char* key : {"from", "to", "steps"})
    json["if"]["anyOf"].push_back({{"required", Json::array({key})}});
  json["then"] = std::move(range);
  json["else"] = std::move(list);
}

/// Things by name.
Json by_name(const std::string& description, const Json& thing) {
  return {{"description", description},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", label_keys()},
          {"additionalProperties", thing}};
}

/// Changes to the pipeline, all applied together; none: the unchanged pipeline.
Json alternative_schema() {
  Json json = {{"type", {"object", "null"}}};
  json["properties"]["bypass"] =
      described("nodes to bypass: their consumers take their input instead",
                one_or_several(node_name_schema()));
  json["properties"]["drop"] =
      described("nodes to remove from the lists they feed", one_or_several(node_name_schema()));
  json["patternProperties"][whole_node_pattern] = definition_reference("node");
  json["patternProperties"][path_pattern] = described("the value, as for --set", Json::object());
  json["additionalProperties"] = false;
  return json;
}

/// An alternative of a slot may have slots of its own, under the key that slots have there: `one`
/// is "slot" or "parameter".
Json choice_schema(const std::string& one) {
  Json json = alternative_schema();
  json["properties"][one + "s"] =
      by_name("what varies with this alternative only", definition_reference(one));
  return json;
}

/// The short form of a slot, one parameter and its values, or the long one, alternatives by name.
Json slot_schema(const std::string& one) {
  Json json = {{"type", "object"}};
  json["if"]["anyOf"] = {{{"required", Json::array({"path"})}},
                         {{"required", Json::array({"values"})}}};
  for (const char* key : {"from", "to", "steps"})
    json["if"]["anyOf"].push_back({{"required", Json::array({key})},
                                   {"properties", {{key, {{"type", {"string", "number"}}}}}}});
  Json& short_form = json["then"];
  short_form["properties"]["path"] = described(
      "the parameter, such as nodes.svm.C; several get the same value", one_or_several(path()));
  add_values(short_form, "its values, one per alternative");
  short_form["additionalProperties"] = false;
  Json& long_form = json["else"];
  long_form["minProperties"] = 1;
  long_form["propertyNames"] = label_keys();
  long_form["additionalProperties"] = choice_schema(one);
  return json;
}

/// Selects alternatives of some slots.
Json selector_schema() {
  return {{"type", "object"},
          {"minProperties", 1},
          {"propertyNames", label_keys()},
          {"additionalProperties", one_or_list(label())}};
}

Json combine_schema(bool of_study) {
  return {{"description",
           std::string("product: every combination of the slots' alternatives; ") +
               (of_study ? "one_at_a_time: the baseline and every change of a single slot of it; "
                         : "") +
               "or a list of combinations, each slot: alternative or a list of alternatives"},
          {"default", "product"},
          {"type", {"string", "array"}},
          {"pattern", of_study ? "^(product|one_at_a_time)$" : "^product$"},
          {"patternErrorMessage", "write product, or a list of combinations"},
          {"minItems", 1},
          {"items", selector_schema()}};
}

Json seeds_schema() {
  return {{"description", "how many seeds, or a list of them"},
          {"type", {"integer", "array"}},
          {"minimum", 1},
          {"maximum", most_seeds},
          {"minItems", 1},
          {"uniqueItems", true},
          {"items", seed_schema("a seed")}};
}

Json fold_count() { return {{"type", "integer"}, {"minimum", 2}, {"maximum", most_folds}}; }

/// {count: 5, by: group}
Json fold_rule(const Json& count) {
  return {{"type", "object"},
          {"properties",
           {{"count", count},
            {"by",
             {{"description",
               "what stays together: the rows of a group ('groups' of the source), or single rows; "
               "without it, groups if the source has some"},
              {"enum", {"group", "row"}}}}}},
          {"additionalProperties", false}};
}

Json repeats_schema() {
  Json json = {{"description", "run every combination several times"}, {"type", "object"}};
  json["properties"]["seeds"] = seeds_schema();
  json["properties"]["folds"] = {
      {"description",
       "cross-validation: the number of parts the training rows are divided into; each is held out "
       "once and tested, with several seeds once for each"},
      {"anyOf", Json::array({fold_count(), fold_rule(fold_count())})}};
  json["properties"]["folds"]["anyOf"][1]["required"] = Json::array({"count"});
  json["properties"]["path"] = described(
      "the parameter that varies, such as nodes.images.train_folds", one_or_several(path()));
  Json of_parameter;
  add_values(of_parameter, "its values, one per repeat");
  json["properties"].update(of_parameter["properties"]);
  of_parameter.erase("properties");
  json["additionalProperties"] = false;
  json["if"]["anyOf"] = {{{"required", Json::array({"seeds"})}},
                         {{"required", Json::array({"folds"})}}};
  json["then"]["propertyNames"]["enum"] = {"seeds", "folds"};
  json["else"] = of_parameter;
  return json;
}

/// All figures that evaluators and solvers declare, as a regular expression.
std::string figure_pattern(const Catalogue& catalogue) {
  std::set<std::string> names;
  for (const auto* entry : catalogue.entries())
    if (entry->info.kind() == "evaluator" || entry->info.kind() == "solver" ||
        entry->info.kind() == "calibrator")
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
      {"description", "the figure to compare: NODE.FIGURE, such as test.error_rate"},
      {"type", "string"},
      {"pattern", "^[A-Za-z_][A-Za-z0-9_]*\\." + figure_pattern(catalogue) + "$"},
      {"patternErrorMessage",
       "write NODE.FIGURE, such as test.error_rate: a figure that an evaluator or solver reports"}};
}

/// One figure, or several: the first decides.
Json metrics_schema(const Catalogue& catalogue) {
  Json json = one_or_several(metric_schema(catalogue));
  json["description"] =
      "the figure to compare: NODE.FIGURE, such as test.error_rate; in a list, the first one is "
      "compared and the others are shown beside it";
  json["uniqueItems"] = true;
  return json;
}

Json better_schema() {
  return {{"description",
           "which of two values of the metric is better; optional where the figure's declaration "
           "says it"},
          {"enum", {"lower", "higher"}}};
}

Json folds_schema() {
  const Json count = {{"anyOf", Json::array({fold_count(), {{"const", leave_one_out_text}}})}};
  return {{"description",
           "the number of parts the training rows are divided into, or leave_one_out: each row is "
           "left out on its own, if that takes no training"},
          {"anyOf", Json::array({count, fold_rule(count)})},
          {"default", 5}};
}

/// A text that is not empty.
Json filled_text(const std::string& description) {
  return with(described(description, text_schema()), {{"minLength", 1}});
}

/// Adds which combinations of slots are tried.
void add_filters(Json& properties) {
  properties["only"] =
      described("keep only combinations that match one of these", one_or_list(selector_schema()));
  properties["exclude"] =
      described("drop combinations that match one of these", one_or_list(selector_schema()));
}

/// The choices of a step, and its changes to the pipeline, like those of an alternative.
Json step_schema() {
  Json json = alternative_schema();
  json["type"] = "object";
  json["properties"]["choose"] =
      described("the slots whose alternatives this step compares; later steps use the best",
                one_or_several(label()));
  json["properties"]["within"] = {
      {"description",
       "take the first combination that is at most this share of the best worse than the best"},
      {"type", "number"},
      {"minimum", 0},
      {"exclusiveMaximum", 1},
      {"default", 0}};
  json["required"] = Json::array({"choose"});
  return json;
}

/// A name that YAML reads as a number is still a name: 2024, 1e5.
Json name_schema() {
  return with(described("the name of the pipeline: letters, digits, _ and -", text_schema()),
              {{"pattern", "^[A-Za-z0-9_-]+$"},
               {"patternErrorMessage", "use only letters, digits, _ and -"}});
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

Json study_schema(const Catalogue& catalogue) {
  Json json = {{"description", "a study: variants of a pipeline, run and compared"},
               {"type", "object"}};
  json["properties"] = {
      {"pipeline",
       filled_text("the pipeline file, relative to this file; otherwise write nodes here")},
      {"metric", metrics_schema(catalogue)},
      {"better", better_schema()},
      {"slots", by_name("what varies: each slot takes one of its alternatives",
                        definition_reference("slot"))},
      {"combine", combine_schema(true)}};
  add_filters(json["properties"]);
  json["properties"]["repeats"] = repeats_schema();
  json["properties"]["baseline"] =
      described("the combination that the others are compared with", selector_schema());
  json["properties"]["over"] = filled_text(
      "the slot whose alternatives are data sets: the other slots' alternatives are compared "
      "across them, by each one's mean over the repeats");
  json["properties"]["steps"] = by_name(
      "the study in steps, one after another: each builds on the choices of the steps before it",
      step_schema());
  json["required"] = {"metric", "slots"};
  json["additionalProperties"] = false;
  add_deprecated_keys(json, program_names(), "study.");
  return json;
}

Json selection_schema(const Catalogue& catalogue) {
  Json json = {{"description", "parameters to choose by cross-validation on the training rows"},
               {"type", "object"}};
  json["properties"] = {
      {"metric", metric_schema(catalogue)},
      {"better", better_schema()},
      {"folds", folds_schema()},
      {"halving",
       {{"description",
         "after each fold only the best trials continue: their number divided by this"},
        {"type", "integer"},
        {"minimum", 2},
        {"maximum", most_halving}}},
      {"parameters", by_name("what to choose; without it, the pipeline is only cross-validated",
                             definition_reference("parameter"))},
      {"combine", combine_schema(false)}};
  add_filters(json["properties"]);
  json["required"] = {"metric"};
  json["additionalProperties"] = false;
  add_deprecated_keys(json, program_names(), "select.");
  return json;
}

Json pipeline_schema(const Catalogue& catalogue) {
  Json json = {{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"description", "a Semblance pipeline or study"},
               {"type", "object"}};
  json["properties"] = {{"name", name_schema()},
                        {"description", text_schema(true)},
                        {"seed", seed_schema("the seed of all random numbers (default 1)")},
                        {"study", study_schema(catalogue)},
                        {"select", selection_schema(catalogue)},
                        {"nodes", nodes_schema()}};
  json["properties"]["description"]["description"] = "what the pipeline is for";
  json["properties"]["seed"]["default"] = 1;
  json["additionalProperties"] = false;
  // A study may take the pipeline from another file, and then all nodes come from there.
  json["if"]["properties"]["study"]["required"] = Json::array({"pipeline"});
  json["if"]["required"] = Json::array({"study"});
  json["then"]["properties"]["nodes"] = false;
  json["else"]["required"] = {"name", "nodes"};
  json["definitions"] = component_definitions(catalogue);
  add_deprecated_keys(json, program_names());
  for (const char* one : {"slot", "parameter"}) json["definitions"][one] = slot_schema(one);
  return json;
}

}  // namespace semblance
