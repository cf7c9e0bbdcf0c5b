// SPDX-License-Identifier: MIT
#include "runtime/graph/node_keys.hpp"

#include "pipeline/node_identity.hpp"
#include "pipeline/shown_names.hpp"
#include "runtime/services/node_error.hpp"
#include "semblance/plugin.hpp"
#include "semblance/shared_work.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

/// Incremented when the meaning of stored artifacts changes.
constexpr int format_version = 4;

/// Adds the code of the component, of components nested in it, and of the linked libraries.
void add_code(const ComponentConfig& config, const Catalogue& catalogue, nlohmann::json& code) {
  const auto* entry = catalogue.find(config.id);
  if (!entry) throw Error("unknown component '" + config.id + "'");
  code.push_back(entry->plugin->hash);
  if (entry->plugin->linked) code.push_back(entry->plugin->linked());
  for (const auto& [name, part] : config.parts) add_code(part, catalogue, code);
}

/// The way from `path` to a file that it leads to: below it, or with a suffix ("" for the file
/// itself); nothing for any other file.
std::optional<std::string> way(const std::string& path, const std::string& file) {
  if (path.empty() || !file.starts_with(path)) return std::nullopt;
  std::string rest = file.substr(path.size());
  const bool leads = rest.empty() || rest[0] == '/' || rest[0] == '.' || path.ends_with('/');
  return leads ? std::optional(std::move(rest)) : std::nullopt;
}

/// The significant part of a file's location: the way to it from every path that the component was
/// given. Names below a folder can be classes or the purpose of a file; the folder itself may move.
nlohmann::json place_of(const std::string& file, const ComponentConfig& config,
                        const ComponentInfo& info) {
  nlohmann::json ways = nlohmann::json::object();
  for (const auto& [name, value] : config.values) {
    const ParameterInfo* parameter = info.parameter(name);
    if (!parameter || parameter->type != ParameterType::path) continue;
    const auto* path = std::get_if<std::string>(&value);
    if (!path) continue;
    if (const auto found = way(*path, file)) ways[name] = hash_of(*found);
  }
  // A file that no parameter leads to is identified by its full name.
  if (ways.empty()) ways["at"] = hash_of(file);
  return ways;
}

/// Adds the files of the component and of those nested in it, by place and content, in order.
void add_files(const Component& component, const ComponentConfig& config,
               const Catalogue& catalogue, InputFiles& read, nlohmann::json& files) {
  const ComponentInfo& info = catalogue.find(config.id)->info;
  nlohmann::json own = nlohmann::json::array();
  for (const auto& file : component.files())
    own.push_back({place_of(file, config, info), read.checksum(file)});
  if (!own.empty()) files.push_back(std::move(own));
  for (const auto& [name, part] : config.parts)
    add_files(*catalogue.create(part), part, catalogue, read, files);
}

/// Adds what affects a component's results besides its parameters: the code and the files.
void add_component(const Node& node, const Catalogue& catalogue, InputFiles& files,
                   nlohmann::json& content) {
  content["format"] = format_version;
  content["api"] = sdk_api;
  add_code(node.facts().spec->component, catalogue, content["code"]);
  add_files(*node.parts.front(), node.facts().spec->component, catalogue, files, content["files"]);
}

/// The nodes whose names the component sees, by what they compute: its report may contain the
/// names.
nlohmann::json names_shown(const Compilation& graph, std::size_t i) {
  nlohmann::json shown = nlohmann::json::array();
  for (const ShownNode& named : shown_nodes(*graph.pipeline, i))
    shown.push_back({graph.facts(named.node).key, named.name});
  return shown;
}

/// NodeFacts::shared_work: of all that decides what the node computes, the inputs and the
/// parameters that its shared work depends on.
std::string shared_work(const Node& node, nlohmann::json content) {
  const auto* shares = dynamic_cast<const SharesWork*>(node.parts.front().get());
  if (!shares) return "";
  nlohmann::json& component = content["component"];
  nlohmann::json kept = {{"is", component["is"]}};
  for (const std::string& name : shares->parameters_of_shared_work())
    if (component.contains(name)) kept[name] = component[name];
  component = std::move(kept);
  return hash_of(content.dump());
}

}  // namespace

void assign_keys(Compilation& graph, const Catalogue& catalogue, InputFiles& files) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = *graph.nodes[i];
    in_node(*graph.pipeline, *node.facts().spec, "reading its files", [&] {
      nlohmann::json content = node_identity(*node.facts().spec, catalogue, PathValues::leave_out);
      add_component(node, catalogue, files, content);
      if (!node.facts().set_aside.empty()) content["set_aside"] = node.facts().set_aside;
      for (const auto& input : node.facts().spec->inputs)
        for (const std::size_t from : input.nodes)
          content["inputs"][input.port].push_back(graph.facts(from).key);
      node.facts().shared_work = shared_work(node, content);
      content["shown"] = names_shown(graph, i);
      node.facts().key = hash_of(content.dump());
    });
  }
}

std::string data_key(const Node& source, const Catalogue& catalogue, InputFiles& files) {
  PipelineNode whole = *source.facts().spec;
  whole.fold = {};
  nlohmann::json content = node_identity(whole, catalogue, PathValues::leave_out);
  add_component(source, catalogue, files, content);
  return hash_of(content.dump()) + ".data";
}

}  // namespace semblance
