// SPDX-License-Identifier: MIT
#include "pipeline/specification/component_reader.hpp"

#include <algorithm>

#include "pipeline/specification/component_lookup.hpp"
#include "support/did_you_mean.hpp"

namespace semblance {
namespace {

/// " (what it is)" of a parameter.
std::string explain(const ParameterInfo& info) {
  return info.documentation.empty() ? "" : " (" + info.documentation + ")";
}

}  // namespace

std::vector<std::string> parameter_names(const ComponentInfo& info) {
  std::vector<std::string> names;
  for (const auto& p : info.parameters) names.push_back(p.name);
  return names;
}

ComponentReader::ComponentReader(const Catalogue& catalogue, const std::filesystem::path& data,
                                 Problems& problems)
    : catalogue_(catalogue),
      data_(std::filesystem::absolute(data.empty() ? "." : data)),
      problems_(problems) {}

std::string ComponentReader::resolve(const std::string& path) const {
  if (path.empty()) return path;
  std::string text = (data_ / path).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

ReadComponent ComponentReader::read(const Catalogue::Entry& entry, const YamlNode& body,
                                    const Place& place, const std::set<std::string>& meant,
                                    int depth) {
  ReadComponent component;
  component.entry = &entry;
  component.config.id = entry.info.id;
  component.place = place;
  component.complete = meant.empty();
  for (const ParameterInfo& info : entry.info.parameters) {
    if (info.type == ParameterType::component) {
      const auto* given = body.find(info.name);
      if (given || !meant.contains(info.name)) read_part(info, given, component, depth);
    } else if (auto value = parameter_value(info, body, meant, component)) {
      component.config.values.emplace_back(info.name, *std::move(value));
    } else {
      component.complete = false;
    }
  }
  return component;
}

std::optional<Value> ComponentReader::parameter_value(const ParameterInfo& info,
                                                      const YamlNode& body,
                                                      const std::set<std::string>& meant,
                                                      ReadComponent& component) {
  const YamlEntry* given = body.find(info.name);
  if (!given) {
    if (!info.required && info.type == ParameterType::path)
      return resolve(std::get<std::string>(info.fallback));
    if (!info.required) return info.fallback;
    if (!meant.contains(info.name))
      problems_.error(component.place, component.config.id + " needs the parameter '" + info.name +
                                           "'" + explain(info));
    return std::nullopt;
  }
  component.written.emplace_back(info.name, given->value.place);
  for (const YamlEntry& entry : given->value.entries)
    component.written.emplace_back(info.name + "." + entry.key.text, entry.key.place);
  auto value = read_value(info, given->value, problems_);
  if (!value || info.type != ParameterType::path) return value;
  const std::string path = std::get<std::string>(*value);
  if (!path.empty() || !info.required) return resolve(path);
  problems_.error(given->value.place, "'" + info.name + "' must not be empty" + explain(info));
  return std::nullopt;
}

void ComponentReader::read_part(const ParameterInfo& info, const YamlEntry* given,
                                ReadComponent& component, int depth) {
  static const YamlNode nothing = YamlNode::empty(YamlNode::Kind::mapping, {});
  const bool left_out = !given || given->value.kind == YamlNode::Kind::nothing;
  if (left_out && info.default_component.empty() && info.optional) return;
  const YamlNode& body = given ? given->value : nothing;
  const Place place = given ? given->key.place : component.place;
  const auto* entry = part_entry(info, body, place, component.config.id);
  component.complete = component.complete && entry;
  if (!entry) return;
  if (depth > static_cast<int>(deepest_nesting)) {
    problems_.error(place, "the default components of " + component.config.id +
                               " contain each other endlessly; set '" + info.name + "'");
    component.complete = false;
    return;
  }
  const auto meant = check_part_keys(entry->info, body);
  ReadComponent part = read(*entry, body, place, meant, depth + 1);
  component.complete = component.complete && part.complete;
  component.config.parts.push_back({info.name, part.config});
  component.parts.push_back(std::move(part));
}

const Catalogue::Entry* ComponentReader::part_entry(const ParameterInfo& info, const YamlNode& body,
                                                    const Place& place, const std::string& owner) {
  if (body.is_invalid()) return nullptr;
  const std::string example =
      info.default_component.empty() ? info.kind + "/NAME" : info.default_component;
  if (body.kind == YamlNode::Kind::nothing) {
    problems_.error(body.place, "'" + info.name + "' has no value",
                    "write {is: " + example + "}" +
                        (info.default_component.empty() ? std::string()
                                                        : ", or omit the key to use the default"));
    return nullptr;
  }
  if (!body.is_mapping()) {
    const bool id = body.is_scalar() && catalogue_.find(body.text);
    problems_.error(
        body.place,
        "'" + info.name + "' must be a component of kind " + info.kind + ", got " + body.describe(),
        "write {is: " + (id ? body.text : example) + "}");
    return nullptr;
  }
  if (const auto* is = body.find("is"))
    return find_component(is->value, catalogue_, problems_, info.kind);
  if (info.default_component.empty()) {
    problems_.error(
        place,
        owner + " needs '" + info.name + "', a component of kind " + info.kind + explain(info),
        "write {is: kind/name}; " + list_kind(catalogue_, info.kind));
    return nullptr;
  }
  const auto* entry = catalogue_.find(info.default_component);
  if (!entry)
    problems_.error(
        place,
        "the default of '" + info.name + "', " + info.default_component + ", is not installed",
        list_kind(catalogue_, info.kind));
  return entry;
}

/// A part has parameters only. Returns the keys that misspelt ones were meant to be.
std::set<std::string> ComponentReader::check_part_keys(const ComponentInfo& info,
                                                       const YamlNode& body) {
  std::set<std::string> meant;
  for (const YamlEntry& entry : body.entries) {
    const std::string& key = entry.key.text;
    if (key == "is" || info.parameter(key)) continue;
    if (info.input(key)) {
      problems_.error(entry.key.place,
                      "'" + key + "' is an input; " + info.id +
                          " takes no inputs as a parameter of another component",
                      "remove it");
      meant.insert("");
      continue;
    }
    auto names = parameter_names(info);
    names.push_back("is");
    const auto suggestion = problems_.full() ? std::nullopt : closest(key, names);
    std::string help = suggestion ? "did you mean '" + *suggestion + "'?"
                       : info.parameters.empty()
                           ? info.id + " has no parameters"
                           : "its parameters are " + enumerate(parameter_names(info));
    if (key == "seed") help = "set the seed on the node instead";
    problems_.error(entry.key.place, info.id + " has no parameter " + quote(key), help);
    meant.insert(suggestion.value_or(""));
  }
  return meant;
}

}  // namespace semblance
