// SPDX-License-Identifier: MIT
#include "pipeline/resolved.hpp"

#include <array>
#include <charconv>

#include "pipeline/held_out.hpp"
#include "pipeline/specification/component_reader.hpp"
#include "pipeline/specification/former_names.hpp"
#include "registry/component_info_json.hpp"
#include "semblance/error.hpp"

namespace semblance {
namespace {

std::string yaml_value(std::monostate) { return "null"; }
std::string yaml_value(bool x) { return x ? "true" : "false"; }
std::string yaml_value(std::int64_t x) { return std::to_string(x); }
std::string yaml_value(const std::string& x) { return yaml_text(x); }
std::string yaml_value(const NamedValues& x) { return to_text(x); }

/// The shortest text that reads back as the same number.
std::string yaml_value(double x) {
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

template <class T>
std::string yaml_value(const std::vector<T>& list) {
  std::string text = "[";
  for (const T& x : list) text += (text.size() > 1 ? ", " : "") + yaml_value(x);
  return text + "]";
}

std::string yaml_value(const Value& value) {
  return std::visit([](const auto& x) { return yaml_value(x); }, value);
}

void write_component(const ComponentConfig& component, const std::string& indent,
                     std::string& text) {
  text += indent + "is: " + yaml_text(component.id) + "\n";
  for (const auto& [name, value] : component.values)
    text += indent + name + ": " + yaml_value(value) + "\n";
  for (const auto& [name, part] : component.parts) {
    text += indent + name + ":\n";
    write_component(part, indent + "  ", text);
  }
}

void write_node(const PipelineNode& node, const Pipeline& pipeline, std::string& text) {
  const std::string indent = "    ";
  text += "  " + node.name + ":\n";
  write_component(node.component, indent, text);
  if (node.seed_by_name)
    text += indent + "seed: by_name\n";
  else if (node.seed != pipeline.seed)
    text += indent + "seed: " + std::to_string(node.seed) + "\n";
  for (const PipelineInput& input : node.inputs) {
    if (input.port == held_out_port) continue;
    std::string names;
    for (const std::size_t feeder : input.nodes)
      names += (names.empty() ? "" : ", ") + pipeline.nodes[feeder].name;
    text +=
        indent + input.port + ": " + (input.nodes.size() == 1 ? names : "[" + names + "]") + "\n";
  }
}

bool is_path(const ComponentInfo& info, const std::string& name) {
  const ParameterInfo* parameter = info.parameter(name);
  return parameter && parameter->type == ParameterType::path;
}

}  // namespace

std::string resolved_yaml(const Pipeline& pipeline) {
  std::string text = "name: " + yaml_text(pipeline.name) + "\n";
  if (!pipeline.description.empty())
    text += "description: " + yaml_text(pipeline.description) + "\n";
  text += "seed: " + std::to_string(pipeline.seed) + "\nnodes:\n";
  for (const PipelineNode& node : pipeline.nodes)
    if (!node.held_out) write_node(node, pipeline, text);
  return text;
}

nlohmann::json canonical_json(const ComponentConfig& component, const Catalogue& catalogue,
                              PathValues paths) {
  const Catalogue::Entry* entry = catalogue.find(component.id);
  if (!entry) throw Error("component " + component.id + " is not installed");
  nlohmann::json json = nlohmann::json::object();
  json["is"] = component.id;
  for (const auto& [name, value] : component.values)
    if (paths == PathValues::keep || !is_path(entry->info, name))
      json[name] = value_json<nlohmann::json>(value);
  for (const auto& [name, part] : component.parts)
    json[name] = canonical_json(part, catalogue, paths);
  return json;
}

nlohmann::ordered_json parameters_json(const ComponentConfig& component) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : component.values)
    json[name] = value_json<nlohmann::ordered_json>(value);
  for (const auto& [name, part] : component.parts) {
    nlohmann::ordered_json inner = nlohmann::ordered_json::object();
    inner["is"] = part.id;
    inner.update(parameters_json(part));
    json[name] = std::move(inner);
  }
  return json;
}

nlohmann::json current_json(const nlohmann::json& recorded, const Catalogue& catalogue) {
  Problems ignored;  // what cannot be read is missing, so it differs
  const SourceText source("model.json", recorded.dump());
  auto body = parse_yaml(source, ignored);
  if (!body) return recorded;
  use_current_names(*body, catalogue, ignored, true);
  const YamlEntry* is = body->find("is");
  const auto* entry = is ? catalogue.find(is->value.text) : nullptr;
  if (!entry) return recorded;
  const auto read = ComponentReader(catalogue, "", ignored).read(*entry, *body, is->key.place, {});
  return canonical_json(read.config, catalogue, PathValues::leave_out);
}

}  // namespace semblance
