// SPDX-License-Identifier: MIT
#include "runtime/model.hpp"

#include "pipeline/resolved.hpp"
#include "registry/hash.hpp"
#include "report/atomic_file.hpp"
#include "runtime/learning.hpp"
#include "runtime/state_files.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int model_version = 3;

bool in_model(const Session& session, std::size_t i) {
  const auto kind = session.node(i).kind;
  return kind != NodeKind::source && kind != NodeKind::feature && kind != NodeKind::pairs &&
         kind != NodeKind::evaluator && session.runs[i]->ready;
}

Layout layout_from_json(const Json& json) {
  Layout layout;
  const std::string kind = json.at("kind");
  for (const LayoutKind k : {LayoutKind::vector, LayoutKind::image, LayoutKind::grid})
    if (kind == name(k)) layout.kind = k;
  layout.height = json.at("height");
  layout.width = json.at("width");
  layout.depth = json.at("depth");
  return layout;
}

Json layout_json(const Layout& layout) {
  return {{"kind", name(layout.kind)},
          {"height", layout.height},
          {"width", layout.width},
          {"depth", layout.depth}};
}

Json node_json(const Session& session, std::size_t i) {
  const auto& spec = *session.node(i).spec;
  Json json = {
      {"component", canonical_json(spec.component, session.catalogue, PathValues::leave_out)},
      {"layout", layout_json(session.node(i).output)},
      {"state", in_model(session, i)}};
  if (session.node(i).is_solver()) json["report"] = report_to_json(session.runs[i]->record);
  return json;
}

Json model_json(const Session& session) {
  Json json = {{"version", model_version}, {"semblance", SEMBLANCE_VERSION}};
  json["sources"] = Json::object();
  json["nodes"] = Json::object();
  for (std::size_t i = 0; i < session.size(); ++i) {
    const auto& node = session.node(i);
    if (node.kind == NodeKind::source)
      json["sources"][node.name()] = {{"layout", layout_json(node.output)},
                                      {"classes", node.outline->classes}};
    else
      json["nodes"][node.name()] = node_json(session, i);
  }
  return json;
}

/// Sizes and checksums of the nodes' states: the pipeline beside them may be edited, and is
/// compared with model.json.
Json files_json(const fs::path& folder) {
  std::map<std::string, Json> files;
  for (const auto& item : fs::recursive_directory_iterator(folder / "nodes"))
    if (item.is_regular_file())
      files[item.path().lexically_relative(folder).generic_string()] = {
          {"bytes", item.file_size()}, {"xxh3", hash_of_file(item.path())}};
  return Json(files);
}

[[noreturn]] void refuse_model(const fs::path& model, const std::string& why) {
  throw Error("'" + model.string() + "' is not a model that can be used: " + why +
              "; give the folder 'model' that a run left in its output folder");
}

}  // namespace

void save_model(const Session& session, const fs::path& folder) {
  const fs::path draft = folder.string() + ".new";
  std::error_code failure;
  fs::remove_all(draft, failure);
  fs::create_directories(draft, failure);
  if (failure) throw Error("cannot make '" + draft.string() + "': " + failure.message());
  for (std::size_t i = 0; i < session.size(); ++i)
    if (in_model(session, i)) save_state(session, i, draft / "nodes" / session.node(i).name());
  write_file_atomically(draft / "pipeline.yaml", session.record.resolved_pipeline);
  Json model = model_json(session);
  model["files"] = files_json(draft);
  const std::string checksum = hash_of(model.dump());
  model["xxh3"] = checksum;
  write_file_atomically(draft / "model.json", model.dump(1) + "\n");
  fs::remove_all(folder, failure);
  fs::rename(draft, folder, failure);
  if (failure) throw Error("cannot make '" + folder.string() + "': " + failure.message());
}

fs::path model_pipeline(const fs::path& model) {
  std::error_code ignored;
  if (!fs::is_directory(model, ignored)) refuse_model(model, "there is no such folder");
  if (!fs::exists(model / "model.json", ignored)) refuse_model(model, "it has no model.json");
  return model / "pipeline.yaml";
}

void verify_model(const fs::path& folder) {
  const auto damaged = [&](const std::string& what) {
    throw Error("the model '" + folder.string() + "' is damaged: " + what +
                "; take it from where it was copied from, or train it again");
  };
  try {
    const std::string text = read_whole_file(folder / "model.json");
    Json json = Json::parse(text);
    if (json.at("version") != model_version)
      refuse_model(folder, "it was written by another version of Semblance");
    if (json.dump(1) + "\n" != text) damaged("model.json is not as it was written");
    const std::string checksum = json.at("xxh3");
    json.erase("xxh3");
    if (hash_of(json.dump()) != checksum) damaged("model.json has another checksum");
    for (const auto& [name, expected] : json.at("files").items()) {
      std::error_code failure;
      const auto size = fs::file_size(folder / name, failure);
      if (failure) damaged(name + ": " + failure.message());
      if (size != expected.at("bytes")) damaged(name + " has another size");
      if (hash_of_file(folder / name) != expected.at("xxh3"))
        damaged(name + " has another checksum");
    }
  } catch (const nlohmann::json::exception& problem) {
    refuse_model(folder, std::string("model.json is damaged: ") + problem.what());
  }
}

Model read_model(const fs::path& folder) {
  Model model;
  model.folder = folder;
  try {
    const Json json = Json::parse(read_whole_file(folder / "model.json"));
    if (json.at("version") != model_version)
      refuse_model(folder, "it was written by another version of Semblance");
    for (const auto& [source, entry] : json.at("sources").items()) {
      model.shapes.outputs[source] = layout_from_json(entry.at("layout"));
      model.shapes.classes[source] = entry.at("classes").get<std::vector<std::string>>();
    }
    for (const auto& [node, entry] : json.at("nodes").items()) {
      model.shapes.outputs[node] = layout_from_json(entry.at("layout"));
      model.components[node] = entry.at("component");
      model.has_state[node] = entry.at("state");
      if (entry.contains("report")) model.reports[node] = entry.at("report");
    }
  } catch (const nlohmann::json::exception& problem) {
    refuse_model(folder, std::string("model.json is damaged: ") + problem.what());
  }
  return model;
}

}  // namespace semblance
