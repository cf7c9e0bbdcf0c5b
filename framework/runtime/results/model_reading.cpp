// SPDX-License-Identifier: MIT
// Models are untrusted: the claims of model.json are checked before use, and its files are only
// ever data. The plugin path alone determines which plugins are loaded.
#include <algorithm>
#include <set>

#include "runtime/results/model.hpp"
#include "runtime/rows/layout_json.hpp"
#include "runtime/store/state_files.hpp"
#include "support/did_you_mean.hpp"
#include "support/files/file_state.hpp"
#include "support/files/hash.hpp"
#include "support/json_text.hpp"
#include "support/number_text.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_model(const Folder& model, const std::string& why) {
  throw Error("'" + model.path().string() + "' is not a usable model: " + one_line(why) +
              "; name the folder 'model' in the output folder of a run");
}

/// Models of data without column names have none.
std::vector<std::string> columns_from_json(const Json& source, const Layout& layout) {
  if (!source.contains("columns")) return {};
  auto columns = source.at("columns").get<std::vector<std::string>>();
  if (columns.size() != layout.size())
    throw Error("it names " + std::to_string(columns.size()) +
                " columns, but its rows are each a " + describe(layout));
  if (std::set<std::string>(columns.begin(), columns.end()).size() != columns.size())
    throw Error("two of its columns have the same name");
  return columns;
}

Model model_from_json(const Json& json) {
  Model model;
  for (const auto& [source, entry] : json.at("sources").get_ref<const Json::object_t&>()) {
    model.shapes.outputs[source] = layout_from_json(entry.at("layout"));
    model.shapes.columns[source] = columns_from_json(entry, model.shapes.outputs[source]);
    model.shapes.classes[source] = entry.at("classes").get<std::vector<std::string>>();
    if (entry.contains("targets"))
      model.shapes.targets[source] = entry.at("targets").get<std::vector<std::string>>();
    if (entry.contains("content")) model.contents[source] = entry.at("content").get<std::string>();
  }
  for (const auto& [node, entry] : json.at("nodes").get_ref<const Json::object_t&>()) {
    model.shapes.outputs[node] = layout_from_json(entry.at("layout"));
    model.components[node] = entry.at("component");
    model.has_state[node] = entry.at("state");
    if (entry.contains("code")) model.code[node] = entry.at("code").get<std::string>();
    if (entry.contains("processor"))
      model.processors[node] = entry.at("processor").get<std::string>();
    if (entry.contains("report")) model.reports[node] = entry.at("report");
  }
  if (json.contains("plugins"))
    for (const Json& plugin : json.at("plugins"))
      model.plugins.push_back({plugin.at("name"), plugin.at("version"), plugin.at("file"),
                               plugin.at("components").get<std::vector<std::string>>()});
  return model;
}

/// "plugin 'mine' 0.1.0 (libmine.so)"
std::string plugin_text(const ModelPlugin& plugin) {
  return one_line("'" + plugin.name + "' " + plugin.version + " (" + plugin.file + ")");
}

}  // namespace

std::string missing_plugins(const Model& model, const Catalogue& catalogue) {
  const std::string of_model = "the model '" + model.folder.path().string() + "' needs ";
  for (const ModelPlugin& plugin : model.plugins)
    for (const std::string& id : plugin.components)
      if (const auto [entry, former] = catalogue.find_former_id(id);
          former && !former->advice.empty())
        return of_model + id + ", which " + former->state() +
               "; train it again: " + former->remedy(entry->info.id);
  std::vector<std::string> missing;
  for (const ModelPlugin& plugin : model.plugins)
    if (std::ranges::any_of(plugin.components,
                            [&](const std::string& id) { return !catalogue.find(id); }))
      missing.push_back(plugin_text(plugin));
  if (missing.empty()) return "";
  return of_model + "the plugin" + (missing.size() > 1 ? "s " : " ") + enumerate(missing) +
         ", which " + (missing.size() > 1 ? "are" : "is") +
         " not among those found; give the file or its folder with --plugin-path";
}

fs::path model_pipeline(const fs::path& model) {
  std::error_code ignored;
  if (!fs::is_directory(model, ignored)) refuse_model(model, "no such folder");
  if (!fs::exists(model / "model.json", ignored)) refuse_model(model, "it has no model.json");
  return model / "pipeline.yaml";
}

namespace {

/// The largest amount of memory that parsing takes per byte of JSON.
constexpr std::size_t memory_per_byte = 24;

/// The author of a model can make it as large as they like.
void check_json_size(const Folder& folder, const std::string& name, std::uintmax_t bytes,
                     std::size_t memory) {
  if (bytes <= memory / memory_per_byte) return;
  const auto text = [](std::uintmax_t size) { return bytes_text(static_cast<double>(size)); };
  throw Error("'" + (folder.path() / name).string() + "' has " + text(bytes) +
              ", and reading it can take " + text(bytes * memory_per_byte) +
              ", but the memory budget is " + text(memory) +
              "; raise it with --memory if you trust the model");
}

[[noreturn]] void refuse_damaged(const Folder& folder, const std::string& what) {
  throw Error("the model '" + folder.path().string() + "' is damaged: " + one_line(what) +
              "; copy it again, or train it again");
}

/// Records the file, on disk, before it is read.
void note(Model& model, const Folder& folder, const std::string& name) {
  if (!folder.in_memory()) model.files[folder.path() / name] = file_state(folder.path() / name);
}

/// model.json, which has its own checksum.
Json sealed_json(const Folder& folder, std::size_t memory) {
  std::error_code failure;  // which reading reports
  const auto size = folder.size("model.json", failure);
  if (!failure) check_json_size(folder, "model.json", size, memory);
  const std::string text = folder.read("model.json");
  Json json = parse_json(text);
  if (json.at("version") != model_version)
    refuse_model(folder, "it was written by another version of Semblance");
  if (json.dump(1) + "\n" != text)
    refuse_damaged(folder, "model.json was changed after it was written");
  const std::string checksum = json.at("xxh3");
  json.erase("xxh3");
  if (hash_of(json.dump()) != checksum) refuse_damaged(folder, "model.json has the wrong checksum");
  json["xxh3"] = checksum;
  return json;
}

void verify_file(Model& model, const Folder& folder, const std::string& name, const Json& expected,
                 std::size_t memory) {
  if (!leads_inside(name)) refuse_damaged(folder, "'" + name + "' lies outside it");
  note(model, folder, name);
  std::error_code failure;
  const auto size = folder.size(name, failure);
  if (failure) refuse_damaged(folder, name + ": " + failure.message());
  if (size != expected.at("bytes")) refuse_damaged(folder, name + " has the wrong size");
  if (name.ends_with(".json")) check_json_size(folder, name, size, memory);
  if (Json(folder.hash(name)) != expected.at("xxh3"))
    refuse_damaged(folder, name + " has the wrong checksum");
}

/// What model.json says.
Model model_of(const Folder& folder, const Json& json) {
  Model model;
  bool other_version = false;
  try {
    other_version = json.at("version") != model_version;
    if (!other_version) {
      model = model_from_json(json);
      model.checksum = json.at("xxh3");
    }
  } catch (const std::exception& problem) {
    refuse_damaged(folder, "model.json: " + json_problem(problem));
  }
  if (other_version) refuse_model(folder, "it was written by another version of Semblance");
  model.folder = folder;
  return model;
}

}  // namespace

Model read_model(const Folder& folder) {
  const std::string text = folder.read("model.json");
  Json json;
  try {
    json = parse_json(text);
  } catch (const std::exception& problem) {
    refuse_damaged(folder, "model.json: " + json_problem(problem));
  }
  return model_of(folder, json);
}

Model verified_model(const Folder& folder, std::size_t memory) {
  Model verified;
  note(verified, folder, "model.json");
  note(verified, folder, "pipeline.yaml");
  Json json;
  try {
    json = sealed_json(folder, memory);
    for (const auto& [name, expected] : json.at("files").items())
      verify_file(verified, folder, name, expected, memory);
  } catch (const nlohmann::json::exception& problem) {
    refuse_damaged(folder, "model.json: " + json_problem(problem));
  }
  Model model = model_of(folder, json);
  model.files = std::move(verified.files);
  return model;
}

void check_same_files(const Model& model) {
  for (const auto& [file, state] : model.files)
    if (!only_touched(state, file_state(file)))
      throw Error("the model '" + model.folder.path().string() +
                  "' was replaced while it was read; run the same command again");
}

}  // namespace semblance
