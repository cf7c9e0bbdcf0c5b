// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "pipeline/specification/component_lookup.hpp"
#include "pipeline/yaml/yaml_builder.hpp"
#include "registry/targets_text.hpp"
#include "schema/parameter_schema.hpp"
#include "schema/schema.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

/// The key of a definition as a JSON pointer in a URI.
std::string pointer(const std::string& name) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
  std::string text;
  for (const char c : name) {
    if (c == '~')
      text += "~0";
    else if (c == '/')
      text += "~1";
    else if (plain.find(c) != std::string_view::npos)
      text += c;
    else
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

/// "node.similarity.rbf"
std::string definition_name(const char* place, const std::string& id) {
  const auto slash = id.find('/');
  return std::string(place) + "." + id.substr(0, slash) + "." + id.substr(slash + 1);
}

std::string describe(const ComponentInfo& info) {
  std::string text = info.summary;
  for (const auto& more : {info.documentation, info.reference, info.complexity})
    if (!more.empty()) text += "\n\n" + more;
  if (const std::string targets = targets_text(info); !targets.empty())
    text += "\n\nTarget: " + targets + ".";
  if (info.kind() == "solver")
    text += info.takes_weights ? "\n\nIt uses sample weights." : "\n\nIt takes no sample weights.";
  return text;
}

/// Its id, and those that are deprecated.
std::vector<std::string> ids_of(const ComponentInfo& info) {
  std::vector<std::string> ids = {info.id};
  for (const FormerName& name : info.former)
    if (!name.gone && name.written != info.id && name.written.find('/') < name.written.find(": "))
      ids.push_back(name.written);
  return ids;
}

/// The value of `is` for a component.
Json named(const ComponentInfo& info) {
  const auto ids = ids_of(info);
  return ids.size() == 1 ? Json{{"const", info.id}} : Json{{"enum", ids}};
}

/// The ids that may follow `is`. Two keys beyond the standard are for editors: `enumDescriptions`
/// describes each id, and `errorMessage` replaces a list of all of them.
Json id_schema(const std::vector<const ComponentInfo*>& components, const std::string& what) {
  Json json = {{"description", what},
               {"errorMessage", "unknown component: semblance list shows all"},
               {"enum", Json::array()},
               {"enumDescriptions", Json::array()}};
  for (const auto* info : components) {
    for (const std::string& id : ids_of(*info)) {
      const FormerName* former = find_former(info->former, id);
      json["enum"].push_back(id);
      json["enumDescriptions"].push_back(former ? "deprecated since " + former->since + ": " +
                                                      former->remedy(info->id)
                                                : describe(*info));
    }
  }
  return json;
}

/// One `if is == ID then ...` per component: exactly one applies, so each mistake gives one
/// message. The definitions have no `type`: a value that is not a mapping is refused once, where
/// they are used.
Json choose_by_id(const char* place, const std::vector<const ComponentInfo*>& components) {
  Json all = Json::array();
  for (const auto* info : components)
    all.push_back(
        {{"if", {{"properties", {{"is", named(*info)}}}, {"required", Json::array({"is"})}}},
         {"then", definition_reference(definition_name(place, info->id))}});
  return all;
}

Json input_schema(const PortInfo& port) {
  Json json = node_name_schema();
  json["description"] = port.documentation;
  if (!port.many) return json;
  json["type"].push_back("array");
  json["items"] = node_name_schema();
  json["minItems"] = 1;
  json["uniqueItems"] = true;
  return json;
}

class Definitions {
 public:
  explicit Definitions(const Catalogue& catalogue) : catalogue_(catalogue) {
    for (const auto* entry : catalogue.entries()) all_.push_back(&entry->info);
  }

  Json make() {
    std::vector<const ComponentInfo*> nodes;
    for (const auto* info : all_)
      if (info->output) nodes.push_back(info);
    add_nodes(nodes);
    for (const auto* info : nodes) result_[definition_name("node", info->id)] = node(*info);
    for (const auto& kind : kinds_of_parts()) add_kind(kind);
    return std::move(result_);
  }

 private:
  void add_nodes(const std::vector<const ComponentInfo*>& nodes) {
    result_["node.is"] = id_schema(nodes, "the component: kind/name");
    result_["node"] = {{"description", "a node: its component, inputs and parameters"},
                       {"type", "object"},
                       {"properties", {{"is", definition_reference("node.is")}}},
                       {"required", Json::array({"is"})},
                       {"allOf", choose_by_id("node", nodes)}};
    if (nodes.empty()) result_["node"].erase("allOf");
  }

  void add_kind(const std::string& kind) {
    std::vector<const ComponentInfo*> parts;
    for (const auto* info : all_)
      if (info->kind() == kind && can_be_part(*info)) parts.push_back(info);
    result_["part." + kind + ".is"] = id_schema(parts, "the component: " + kind + "/name");
    result_["part." + kind] = Json::object();
    if (!parts.empty()) result_["part." + kind]["allOf"] = choose_by_id("part", parts);
    for (const auto* info : parts) result_[definition_name("part", info->id)] = part(*info);
  }

  /// In alphabetical order.
  std::set<std::string> kinds_of_parts() const {
    std::set<std::string> found;
    for (const auto* info : all_)
      for (const auto& p : info->parameters)
        if (p.type == ParameterType::component) found.insert(p.kind);
    return found;
  }

  Json node(const ComponentInfo& info) const {
    Json json = part(info);
    for (const auto& port : info.inputs) {
      if (&port != info.input(port.name)) continue;  // an alternative to the first of this name
      json["properties"][port.name] = input_schema(port);
      if (port.required) json["required"].push_back(port.name);
    }
    const char* described =
        "the seed of this node (default: the pipeline's); by_name: the pipeline's seed and this "
        "node's name, so that equal nodes draw different numbers";
    json["properties"]["seed"] = {{"description", described},
                                  {"anyOf", {seed_schema(""), {{"const", "by_name"}}}}};
    return json;
  }

  Json part(const ComponentInfo& info) const {
    Json properties = {{"is", named(info)}};
    Json required = Json::array();
    for (const auto& p : info.parameters) {
      const bool component = p.type == ParameterType::component;
      properties[p.name] = component ? component_schema(p) : value_schema(p);
      if (component ? !may_be_left_out(p, 0) : p.required) required.push_back(p.name);
    }
    Json json = {{"title", info.id},
                 {"description", describe(info)},
                 {"properties", std::move(properties)},
                 {"required", std::move(required)},
                 {"additionalProperties", false}};
    add_deprecated_keys(json, info.former);
    return json;
  }

  /// A component as a parameter: with `is` any of its kind, otherwise the default one.
  Json component_schema(const ParameterInfo& p) const {
    Json json = {{"description", describe_parameter(p)}};
    const auto* fallback = catalogue_.find(p.default_component);
    if (fallback) json["default"] = {{"is", p.default_component}};
    json["type"] = p.optional && p.default_component.empty() ? Json{"object", "null"} : "object";
    json["properties"]["is"] = definition_reference("part." + p.kind + ".is");
    if (!fallback) {
      json["required"] = Json::array({"is"});
      json["allOf"] = Json::array({definition_reference("part." + p.kind)});
    } else {
      json["if"]["required"] = Json::array({"is"});
      json["then"] = definition_reference("part." + p.kind);
      json["else"] = definition_reference(definition_name("part", p.default_component));
    }
    return json;
  }

  /// Whether a component parameter is complete when the pipeline does not mention it.
  bool may_be_left_out(const ParameterInfo& p, std::size_t depth) const {
    if (p.default_component.empty()) return p.optional;
    const auto* fallback = catalogue_.find(p.default_component);
    if (!fallback || depth > deepest_nesting) return false;
    return std::ranges::all_of(fallback->info.parameters, [&](const ParameterInfo& inner) {
      return inner.type == ParameterType::component ? may_be_left_out(inner, depth + 1)
                                                    : !inner.required;
    });
  }

  const Catalogue& catalogue_;
  std::vector<const ComponentInfo*> all_;
  Json result_ = Json::object();
};

}  // namespace

Json component_definitions(const Catalogue& catalogue) { return Definitions(catalogue).make(); }

Json definition_reference(const std::string& name) {
  return {{"$ref", "#/definitions/" + pointer(name)}};
}

}  // namespace semblance
