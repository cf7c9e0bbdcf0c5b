// SPDX-License-Identifier: MIT
#include "schema/parameter_schema.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/yaml/numerals.hpp"
#include "registry/component_info_json.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// Converts whole numbers to integers, as far as a double holds them exactly.
Json number_json(double x) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (x == std::floor(x) && std::abs(x) <= exact) return static_cast<std::int64_t>(x);
  return x;
}

/// The ends of the range; by default those of the type, which also exclude infinities.
template <class T>
Json range_schema(const char* type, const Interval& interval) {
  Json json = {{"type", type}};
  if (std::isfinite(interval.low))
    json[interval.low_open ? "exclusiveMinimum" : "minimum"] = number_json(interval.low);
  else
    json["minimum"] = std::numeric_limits<T>::lowest();
  if (std::isfinite(interval.high))
    json[interval.high_open ? "exclusiveMaximum" : "maximum"] = number_json(interval.high);
  else
    json["maximum"] = std::numeric_limits<T>::max();
  return json;
}

/// Adds a choice as text, and as the value that YAML reads when it is unquoted.
void add_choice(const std::string& choice, Json& choices) {
  choices.push_back(choice);
  if (choice == "true" || choice == "false") choices.push_back(choice == "true");
  YamlNode plain = YamlNode::empty(YamlNode::Kind::scalar, {});
  plain.text = choice;
  Refusal ignored;
  if (const auto number = read_number(plain, ignored)) choices.push_back(number_json(*number));
}

/// A named value of a mapping: a scalar or, with `list`, a list of them.
Json named_value_schema(bool list) {
  Json json = range_schema<double>("number", {});  // excludes infinities
  json["type"] = {"string", "number", "boolean", "null"};
  if (!list) return json;
  json["type"].push_back("array");
  json["items"] = named_value_schema(false);
  return json;
}

Json mapping_schema() {
  return {{"type", "object"},
          {"propertyNames", {{"minLength", 1}, {"not", {{"const", "is"}}}}},
          {"additionalProperties", named_value_schema(true)}};
}

Json element_schema(const ParameterInfo& info) {
  switch (info.type) {
    case ParameterType::boolean:
      return {{"type", "boolean"}};
    case ParameterType::integer:
    case ParameterType::integers:
      return range_schema<std::int64_t>("integer", info.interval);
    case ParameterType::number:
    case ParameterType::numbers:
      return range_schema<double>("number", info.interval);
    case ParameterType::text:
    case ParameterType::texts:
    case ParameterType::path:
      break;
    case ParameterType::mapping:
      return mapping_schema();
    case ParameterType::component:
      return Json::object();
  }
  if (info.choices.empty()) return text_schema();
  Json choices = Json::array();
  for (const auto& choice : info.choices) add_choice(choice, choices);
  if (!is_number_or_word(info)) return {{"enum", choices}};
  // Not anyOf: an editor then names what is wrong.
  return {{"if", {{"type", "number"}}},
          {"then", range_schema<double>("number", info.interval)},
          {"else", {{"enum", choices}}}};
}

bool is_list(ParameterType type) {
  return type == ParameterType::integers || type == ParameterType::numbers;
}

/// JSON has no infinity: such a default is given only in the description.
bool has_json(const Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return std::isfinite(*x);
  return !std::holds_alternative<std::monostate>(value);
}

std::string range_text(const ParameterInfo& info) {
  return info.interval.bounded() ? "in " + info.interval.text() : "";
}

std::string default_text(const ParameterInfo& info) {
  if (info.required) return "required";
  if (!info.default_component.empty()) return "default " + info.default_component;
  if (info.type == ParameterType::component) return info.optional ? "optional" : "required";
  const std::string text = to_text(info.fallback);
  return text.empty() ? "optional" : "default " + text;
}

}  // namespace

Json text_schema(bool nothing) {
  Json types = {"string", "number", "boolean"};
  if (nothing) types.push_back("null");
  return {{"type", types}};
}

Json seed_schema(const std::string& description) {
  return {{"description", description},
          {"type", "integer"},
          {"minimum", 0},
          {"maximum", std::numeric_limits<std::uint64_t>::max()}};
}

Json node_name_schema() {
  return {{"type", {"string", "boolean"}},
          {"pattern", node_name_pattern},
          {"patternErrorMessage", "this must be the name of a node"}};
}

Json value_schema(const ParameterInfo& info) {
  Json json = {{"description", describe_parameter(info)}};
  if (has_json(info.fallback)) json["default"] = value_to_json(info.fallback);
  if (info.type == ParameterType::texts) {
    const Json element = element_schema(info);
    json["anyOf"] = {Json{{"type", "array"}, {"items", element}}, element};
  } else if (is_list(info.type)) {
    json["type"] = "array";
    json["items"] = element_schema(info);
  } else {
    json.update(element_schema(info));
  }
  if (info.type == ParameterType::path && info.required) json["minLength"] = 1;
  return json;
}

void add_deprecated_keys(Json& object, const std::vector<FormerName>& names,
                         const std::string& path) {
  Json& properties = object["properties"];
  for (const FormerName& name : names) {
    if (name.gone || !name.written.starts_with(path)) continue;
    const std::string key = name.written.substr(path.size());
    const std::string& now = name.instead.empty() ? key : name.instead;
    const std::string described = "deprecated since " + name.since + ": " + name.remedy();
    if (const std::size_t colon = key.find(": "); colon != std::string::npos) {
      Json& values = properties[key.substr(0, colon)];
      const Json value = {
          {"const", key.substr(colon + 2)}, {"deprecated", true}, {"description", described}};
      values = values.is_null() ? value : Json{{"anyOf", {values, value}}};
    }
    if (key.find('.') != std::string::npos || !properties.contains(now)) continue;
    properties[key] = properties[now];
    properties[key].update({{"deprecated", true}, {"description", described}});
    Json& required = object["required"];
    const auto needed = std::ranges::find(required, Json(now));
    if (now == key || needed == required.end()) continue;
    required.erase(needed);
    Json either;
    for (const std::string& one : {now, key})
      either["anyOf"].push_back({{"required", Json::array({one})}});
    object["allOf"].push_back(std::move(either));
  }
  if (object.contains("required") && object["required"].is_null()) object.erase("required");
}

std::string describe_parameter(const ParameterInfo& info) {
  std::string facts;
  for (const auto& fact : {range_text(info), info.unit, default_text(info)})
    if (!fact.empty()) facts += (facts.empty() ? "" : ", ") + fact;
  return info.documentation + (info.documentation.empty() ? "" : " ") + "(" + facts + ")";
}

}  // namespace semblance
