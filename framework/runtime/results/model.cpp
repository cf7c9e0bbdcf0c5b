// SPDX-License-Identifier: MIT
#include "runtime/results/model.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>

#include "pipeline/resolved.hpp"
#include "registry/figures.hpp"
#include "registry/python_door.hpp"
#include "report/metrics.hpp"
#include "runtime/rows/layout_json.hpp"
#include "runtime/services/processor.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool in_model(const RunProgress& progress, std::size_t i) {
  return progress.facts(i).has_state() && progress.run(i).ready() &&
         !progress.facts(i).spec->held_out;
}

void add_code(const ComponentConfig& config, const Catalogue& catalogue, std::string& code) {
  const PluginOrigin& plugin = *catalogue.find(config.id)->plugin;
  if (is_python_file(plugin.library) && plugin.of_file) code += plugin.hash + " ";
  for (const auto& [name, part] : config.parts) add_code(part, catalogue, code);
}

/// Equal models are equal files, so training times are omitted.
NodeRecord timeless(NodeRecord record) {
  const NodeRecord all = record;
  for (const auto& [figure, value] : all.metrics.items())
    if (all.figure(figure).unit == FigureUnit::seconds) record.metrics.erase(figure);
  std::erase_if(record.curves,
                [&](const Curve& curve) { return is_over_time(record.figures, curve); });
  return record;
}

Json node_json(const RunProgress& progress, const Catalogue& catalogue, std::size_t i) {
  const auto& spec = *progress.facts(i).spec;
  Json json = {{"component", canonical_json(spec.component, catalogue, PathValues::leave_out)},
               {"layout", layout_json(progress.facts(i).output)},
               {"state", in_model(progress, i)}};
  if (std::string code = python_code(spec.component, catalogue); !code.empty())
    json["code"] = std::move(code);
  if (in_model(progress, i)) {
    const std::string& other = progress.run(i).learned_on;
    json["processor"] = other.empty() ? processor_kind() : other;
  }
  if (progress.node(i).scoring()) json["report"] = report_to_json(timeless(progress.run(i).record));
  return json;
}

void add_plugins(const ComponentConfig& config, const Catalogue& catalogue,
                 std::map<std::string, ModelPlugin>& plugins) {
  const PluginOrigin& plugin = *catalogue.find(config.id)->plugin;
  // Components that a program has declared are in no file.
  if (plugin.of_file) {
    ModelPlugin& known = plugins[plugin.name];
    known.name = plugin.name;
    known.version = plugin.version;
    known.file = plugin.library.filename().string();
    if (std::ranges::find(known.components, config.id) == known.components.end())
      known.components.push_back(config.id);
  }
  for (const auto& [name, part] : config.parts) add_plugins(part, catalogue, plugins);
}

/// The plugins of the nodes' components, including nested components.
Json plugins_json(const Compilation& graph, const Catalogue& catalogue) {
  std::map<std::string, ModelPlugin> plugins;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (const auto& spec = *graph.facts(i).spec; !spec.held_out)
      add_plugins(spec.component, catalogue, plugins);
  Json json = Json::array();
  for (const auto& [name, plugin] : plugins)
    json.push_back({{"name", plugin.name},
                    {"version", plugin.version},
                    {"file", plugin.file},
                    {"components", plugin.components}});
  return json;
}

Json source_json(const NodeFacts& node) {
  Json json = {{"layout", layout_json(node.output)}, {"classes", node.outline->classes}};
  if (!node.outline->targets.empty()) json["targets"] = node.outline->targets;
  if (!node.outline->columns.empty()) json["columns"] = node.outline->columns;
  if (!node.content.empty()) json["content"] = node.content;
  return json;
}

Json model_json(const RunProgress& progress, const Catalogue& catalogue) {
  Json json = {{"version", model_version}, {"semblance", SEMBLANCE_VERSION}};
  json["plugins"] = plugins_json(progress.graph(), catalogue);
  json["sources"] = Json::object();
  json["nodes"] = Json::object();
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const NodeFacts& node = progress.facts(i);
    if (node.spec->held_out) continue;
    if (node.is_source())
      json["sources"][node.name()] = source_json(node);
    else
      json["nodes"][node.name()] = node_json(progress, catalogue, i);
  }
  return json;
}

/// Sizes and checksums of the nodes' states only: the pipeline beside them may be edited, and is
/// compared with model.json.
Json files_json(const Folder& folder) {
  Json files = Json::object();
  const Folder nodes = folder / "nodes";
  for (const std::string& file : nodes.files()) {
    std::error_code failure;
    const auto bytes = nodes.size(file, failure);
    if (failure) throw Error("cannot read '" + file + "': " + failure.message());
    files["nodes/" + file] = {{"bytes", bytes}, {"xxh3", nodes.hash(file)}};
  }
  return files;
}

/// Writes the files of a model into a folder that has none.
void write_model(const RunProgress& progress, const Catalogue& catalogue, const Folder& folder,
                 bool with_reports = true) {
  (folder / "nodes").make();  // also where no node has a state
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (in_model(progress, i)) progress.node(i).save(folder / "nodes" / progress.facts(i).name());
  folder.write("pipeline.yaml", resolved_yaml(*progress.graph().pipeline));
  Json model = model_json(progress, catalogue);
  if (!with_reports)
    for (Json& node : model["nodes"]) node.erase("report");
  model["files"] = files_json(folder);
  const std::string checksum = hash_of(model.dump());
  model["xxh3"] = checksum;
  folder.write("model.json", model.dump(1) + "\n");
}

/// Waits until all files in the folder are on the disk: a power failure then leaves them whole.
void wait_for_disk(const fs::path& folder) {
  for (const auto& item : fs::recursive_directory_iterator(folder)) {
    if (!item.is_regular_file()) continue;
    const int file = ::open(item.path().c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = file >= 0 && ::fsync(file) == 0;
    const int failure = errno;
    if (file >= 0) ::close(file);
    if (!done)
      throw Error("cannot write '" + item.path().string() +
                  "' to the disk: " + std::generic_category().message(failure));
  }
}

}  // namespace

std::string python_code(const ComponentConfig& config, const Catalogue& catalogue) {
  std::string code;
  add_code(config, catalogue, code);
  return code;
}

void save_model(const RunProgress& progress, const Catalogue& catalogue, const fs::path& folder) {
  const fs::path draft = folder.string() + ".new";
  std::error_code failure;
  if (fs::exists(folder, failure) && !fs::is_empty(folder, failure) &&
      !fs::exists(folder / "model.json", failure))
    throw Error("'" + folder.string() + "' exists and is not a model; name another folder");
  fs::remove_all(draft, failure);
  write_model(progress, catalogue, draft);
  wait_for_disk(draft);
  // The former model goes once this one is in its place.
  const fs::path former = folder.string() + ".former";
  fs::remove_all(former, failure);
  if (fs::exists(folder, failure)) fs::rename(folder, former, failure);
  fs::rename(draft, folder, failure);
  if (failure) throw Error("cannot create '" + folder.string() + "': " + failure.message());
  fs::remove_all(former, failure);
}

Folder::Contents model_files(const RunProgress& progress, const Catalogue& catalogue,
                             bool with_reports) {
  const auto contents = std::make_shared<Folder::Contents>();
  write_model(progress, catalogue, Folder(contents, "model"), with_reports);
  return std::move(*contents);
}

}  // namespace semblance
