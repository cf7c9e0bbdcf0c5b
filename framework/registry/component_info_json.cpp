// SPDX-License-Identifier: MIT
#include "registry/component_info_json.hpp"

#include <array>
#include <cmath>

#include "registry/figures.hpp"
#include "support/json_text.hpp"

namespace semblance {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array parameter_types = {
    ParameterType::boolean, ParameterType::integer,  ParameterType::number,  ParameterType::text,
    ParameterType::path,    ParameterType::integers, ParameterType::numbers, ParameterType::texts,
    ParameterType::mapping, ParameterType::component};

constexpr std::array port_types = {PortType::samples,   PortType::basis,       PortType::pairs,
                                   PortType::scores,    PortType::pair_scores, PortType::estimates,
                                   PortType::intervals, PortType::novelty,     PortType::report};

constexpr std::array target_kinds = {TargetKind::none, TargetKind::classes, TargetKind::numbers};

constexpr std::array figure_units = {FigureUnit::plain, FigureUnit::share, FigureUnit::count,
                                     FigureUnit::seconds, FigureUnit::bytes};

constexpr std::array directions = {Better::none, Better::lower, Better::higher};

template <class Enum, std::size_t N>
Enum by_name(const std::array<Enum, N>& all, const std::string& wanted) {
  for (const Enum e : all)
    if (wanted == name(e)) return e;
  throw Json::other_error::create(501, "unknown name '" + wanted + "'", nullptr);
}

LayoutKind layout_named(const std::string& wanted) {
  for (const LayoutInfo& info : layouts())
    if (wanted == info.name) return info.kind;
  throw Json::other_error::create(501, "unknown name '" + wanted + "'", nullptr);
}

/// JSON has no infinity: an open end is omitted.
Json interval_json(const Interval& interval) {
  Json json = Json::object();
  if (std::isfinite(interval.low))
    json[interval.low_open ? "exclusive_minimum" : "minimum"] = interval.low;
  if (std::isfinite(interval.high))
    json[interval.high_open ? "exclusive_maximum" : "maximum"] = interval.high;
  return json;
}

void read_end(const Json& json, const char* closed, const char* open, double& end, bool& is_open) {
  if (json.contains(open)) end = json.at(open).get<double>(), is_open = true;
  if (json.contains(closed)) end = json.at(closed).get<double>();
}

Json parameter_json(const ParameterInfo& p) {
  Json json = {{"name", p.name}, {"type", name(p.type)}, {"documentation", p.documentation}};
  if (!std::holds_alternative<std::monostate>(p.fallback))
    json["default"] = value_to_json(p.fallback);
  if (p.required) json["required"] = true;
  if (p.optional) json["optional"] = true;
  if (!p.unit.empty()) json["unit"] = p.unit;
  json.update(interval_json(p.interval));
  if (!p.choices.empty()) json["choices"] = p.choices;
  if (!p.kind.empty()) json["kind"] = p.kind;
  if (!p.default_component.empty()) json["default_component"] = p.default_component;
  return json;
}

ParameterInfo parameter_from_json(const Json& json) {
  ParameterInfo p;
  p.name = json.at("name");
  p.type = by_name(parameter_types, json.at("type").get<std::string>());
  p.documentation = json.at("documentation");
  if (json.contains("default")) p.fallback = value_from_json(json.at("default"), p.type);
  p.required = json.value("required", false);
  p.optional = json.value("optional", false);
  p.unit = json.value("unit", "");
  read_end(json, "minimum", "exclusive_minimum", p.interval.low, p.interval.low_open);
  read_end(json, "maximum", "exclusive_maximum", p.interval.high, p.interval.high_open);
  p.choices = json.value("choices", std::vector<std::string>{});
  p.kind = json.value("kind", "");
  p.default_component = json.value("default_component", "");
  return p;
}

Json layouts_json(const std::vector<LayoutKind>& kinds) {
  Json json = Json::array();
  for (const LayoutKind kind : kinds) json.push_back(name(kind));
  return json;
}

std::vector<LayoutKind> layouts_from_json(const Json& json) {
  std::vector<LayoutKind> kinds;
  for (const auto& kind : json.value("layouts", std::vector<std::string>{}))
    kinds.push_back(layout_named(kind));
  return kinds;
}

Json port_json(const PortInfo& port) {
  Json json = {{"name", port.name}, {"type", name(port.type)}};
  if (!port.layouts.empty()) json["layouts"] = layouts_json(port.layouts);
  for (const LayoutsWhere& where : port.layouts_where)
    json["layouts_where"].push_back({{"parameter", where.parameter},
                                     {"value", where.value},
                                     {"layouts", layouts_json(where.layouts)}});
  if (port.many) json["many"] = true;
  json["required"] = port.required;
  json["documentation"] = port.documentation;
  return json;
}

PortInfo port_from_json(const Json& json) {
  PortInfo port;
  port.name = json.at("name");
  port.type = by_name(port_types, json.at("type").get<std::string>());
  port.layouts = layouts_from_json(json);
  if (json.contains("layouts_where"))
    for (const Json& where : json.at("layouts_where"))
      port.layouts_where.push_back(
          {where.at("parameter"), where.at("value"), layouts_from_json(where)});
  port.many = json.value("many", false);
  port.required = json.at("required");
  port.documentation = json.at("documentation");
  return port;
}

Json figure_json(const FigureInfo& figure) {
  Json json = {{"name", figure.name},
               {"documentation", figure.documentation},
               {"unit", name(figure.unit)},
               {"better", name(figure.better)}};
  if (figure.headline) json["headline"] = true;
  return json;
}

FigureInfo figure_from_json(const Json& json) {
  return {json.at("name"), json.at("documentation"),
          by_name(figure_units, json.at("unit").get<std::string>()),
          by_name(directions, json.at("better").get<std::string>()), json.value("headline", false)};
}

Scalar scalar_from_json(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return integer_in<std::int64_t>(json);
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

NamedValues mapping_from_json(const Json& json) {
  NamedValues mapping;
  for (const auto& [name, item] : json.get_ref<const Json::object_t&>()) {
    if (item.is_array()) {
      std::vector<Scalar> list;
      for (const Json& x : item) list.push_back(scalar_from_json(x));
      mapping[name] = std::move(list);
    } else {
      std::visit([&, &to = mapping[name]](auto x) { to = std::move(x); }, scalar_from_json(item));
    }
  }
  return mapping;
}

Json former_json(const FormerName& former) {
  return {{"written", former.written}, {"since", former.since}, {"instead", former.instead},
          {"advice", former.advice},   {"usual", former.usual}, {"gone", former.gone}};
}

}  // namespace

Json value_to_json(const Value& value) { return value_json<Json>(value); }

Value value_from_json(const Json& json, ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return json.get<bool>();
    case ParameterType::integer:
      return integer_in<std::int64_t>(json);
    case ParameterType::number:
      return json.get<double>();
    case ParameterType::text:
      if (json.is_number())
        return json.get<double>();  // a parameter that may be a number or a word
      return json.get<std::string>();
    case ParameterType::path:
      return json.get<std::string>();
    case ParameterType::integers:
      return json.get<std::vector<std::int64_t>>();
    case ParameterType::numbers:
      return json.get<std::vector<double>>();
    case ParameterType::texts:
      return json.get<std::vector<std::string>>();
    case ParameterType::mapping:
      return mapping_from_json(json);
    case ParameterType::component:
      return std::monostate{};
  }
  return std::monostate{};
}

Json to_json(const ComponentInfo& info) {
  Json json = {{"id", info.id},
               {"kind", info.kind()},
               {"summary", info.summary},
               {"documentation", info.documentation},
               {"reference", info.reference},
               {"complexity", info.complexity},
               {"example", info.example},
               {"random", info.random},
               {"symmetric", info.symmetric},
               {"inexpensive", info.inexpensive},
               {"distributed", info.distributed},
               {"uses_device", info.uses_device},
               {"columns_are_rows", info.columns_are_rows},
               {"keeps_columns", info.keeps_columns},
               {"takes_missing", info.takes_missing},
               {"takes_weights", info.takes_weights}};
  json["targets"] = Json::array();
  for (const TargetKind target : info.targets) json["targets"].push_back(name(target));
  json["parameters"] = Json::array();
  for (const auto& p : info.parameters) json["parameters"].push_back(parameter_json(p));
  json["figures"] = Json::array();
  for (const auto& figure : info.figures) json["figures"].push_back(figure_json(figure));
  json["inputs"] = Json::array();
  for (const auto& port : info.inputs) json["inputs"].push_back(port_json(port));
  if (info.output) json["output"] = port_json(*info.output);
  for (const FormerName& former : info.former) json["former"].push_back(former_json(former));
  return json;
}

ComponentInfo component_info_from_json(const Json& json) {
  ComponentInfo info;
  info.id = json.at("id");
  info.summary = json.at("summary");
  info.documentation = json.at("documentation");
  info.reference = json.at("reference");
  info.complexity = json.at("complexity");
  info.example = json.at("example");
  info.random = json.at("random");
  info.symmetric = json.at("symmetric");
  info.inexpensive = json.at("inexpensive");
  info.distributed = json.at("distributed");
  info.uses_device = json.at("uses_device");
  info.columns_are_rows = json.at("columns_are_rows");
  info.keeps_columns = json.at("keeps_columns");
  info.takes_missing = json.at("takes_missing");
  info.takes_weights = json.at("takes_weights");
  for (const auto& target : json.at("targets"))
    info.targets.push_back(by_name(target_kinds, target));
  for (const auto& p : json.at("parameters")) info.parameters.push_back(parameter_from_json(p));
  for (const auto& f : json.at("figures")) info.figures.push_back(figure_from_json(f));
  for (const auto& port : json.at("inputs")) info.inputs.push_back(port_from_json(port));
  if (json.contains("output")) info.output = port_from_json(json.at("output"));
  for (const Json& former : json.value("former", Json::array()))
    info.former.push_back({former.at("written"), former.at("since"), former.at("instead"),
                           former.at("advice"), former.at("usual"), former.at("gone")});
  return info;
}

}  // namespace semblance
