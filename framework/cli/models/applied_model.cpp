// SPDX-License-Identifier: MIT
#include "cli/models/applied_model.hpp"

#include <algorithm>

#include "cli/verb.hpp"
#include "study/check_pipeline.hpp"

namespace semblance::cli {
namespace {

bool is_source(const Model& model, const std::string& node) {
  return model.shapes.classes.contains(node);
}

/// The sources of the model, for messages.
std::string source_names(const Model& model) {
  std::string names;
  for (const auto& [node, classes] : model.shapes.classes)
    names += (names.empty() ? "'" : ", '") + node + "'";
  return names;
}

/// Reads DATA or NODE=DATA. The path is relative to the current folder, like every path on a
/// command line.
void add_data(const std::string& argument, Model& model) {
  const std::size_t equals = argument.find('=');
  const std::string node = argument.substr(0, std::min(equals, argument.size()));
  const bool named = equals != argument.npos && is_source(model, node);
  if (!named && model.shapes.classes.size() != 1)
    throw UsageError("the model has the sources " + source_names(model) + ": say which '" +
                     argument + "' is for, as NODE=DATA");
  const std::string path = named ? argument.substr(equals + 1) : argument;
  if (path.empty()) throw UsageError("there is no DATA after '" + argument + "'");
  NewSource& source = model.shapes.changed[named ? node : model.shapes.classes.begin()->first];
  if (!source.path.empty()) throw UsageError("'" + argument + "' is one DATA too many");
  source.path = std::filesystem::absolute(path).lexically_normal().string();
}

/// A source that --set changes provides new data as well.
void add_changes(const std::vector<std::string>& overrides, Model& model) {
  for (const std::string& change : overrides) {
    const std::string path = change.substr(0, change.find('='));
    constexpr std::string_view start = "nodes.";
    if (!path.starts_with(start)) continue;
    const std::string rest = path.substr(start.size());
    const std::string node = rest.substr(0, rest.find('.'));
    if (!is_source(model, node)) continue;
    NewSource& source = model.shapes.changed[node];
    if (rest.size() <= node.size() + 1) continue;
    const std::string parameter = rest.substr(node.size() + 1);
    source.given.push_back(parameter.substr(0, parameter.find('.')));
  }
}

/// Finds the new data on the command line. Another seed would draw other test samples than those
/// that the training run set aside, so it requests all samples too.
void find_new_data(const std::vector<std::string>& data, const CheckOptions& checking,
                   Model& model) {
  for (const std::string& argument : data) add_data(argument, model);
  add_changes(checking.overrides, model);
  if (checking.seed)
    for (const auto& [node, classes] : model.shapes.classes) model.shapes.changed[node];
}

}  // namespace

Applied applied_model(const std::string& folder, const std::vector<std::string>& data,
                      CheckOptions checking, const Catalogue& catalogue, std::size_t memory) {
  Applied found;
  const std::filesystem::path file = model_pipeline(folder);
  Model& model = found.model = verified_model(std::filesystem::path(folder), memory);
  find_new_data(data, checking, model);
  checking.of_model = true;
  checking.prepare = [&](const std::string& node, Component& component) {
    if (auto* source = dynamic_cast<Source*>(&component)) model.shapes.apply_to(*source, node);
  };
  PipelineCheck checked = load_pipeline(file, catalogue, checking);
  found.diagnostics = render(checked.diagnostics);
  if (!checked.pipeline)
    if (const std::string missing = missing_plugins(model, catalogue); !missing.empty())
      found.diagnostics = "semblance: " + missing + "\n";
  found.pipeline = std::move(checked.pipeline);
  return found;
}

}  // namespace semblance::cli
