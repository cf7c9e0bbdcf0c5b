// SPDX-License-Identifier: MIT
#include "pipeline/check_nodes.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "pipeline/graph.hpp"
#include "pipeline/specification/component_reader.hpp"
#include "pipeline/specification/specification.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/yaml_tree.hpp"
#include "registry/figures.hpp"
#include "support/did_you_mean.hpp"
#include "support/files/hash.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// Why a file cannot be read.
struct Trouble {
  std::string reason;  ///< empty: it can be read
  bool missing = false;
  std::string remedy;  ///< if it exists
};

Trouble trouble(const fs::path& file) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return {"does not exist", true, ""};
  if (error)
    return {"cannot be accessed: " + error.message(), false,
            "check the permissions of the folders and links that lead to it"};
  if (!fs::is_directory(status) && !fs::is_regular_file(status))
    return {"is a pipe or a device, which can be read only once, but data are read several times",
            false, "save its output to a file and name that file"};
  const int wanted = fs::is_directory(status) ? R_OK | X_OK : R_OK;
  if (access(file.c_str(), wanted) == 0) return {};
  return {"is not readable", false,
          "the file exists: make it readable (chmod u+r" +
              std::string(fs::is_directory(status) ? "x" : "") + ") or ask its owner"};
}

/// A similar name in the same folder, or the first missing folder of the path.
std::string nearby(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.parent_path();
  if (!fs::is_directory(folder, error)) {
    fs::path missing = folder;
    while (missing.has_relative_path() && !fs::exists(missing.parent_path(), error))
      missing = missing.parent_path();
    return "there is no folder " + quote(missing.string());
  }
  constexpr std::size_t most_names = 2000;
  std::vector<std::string> names;
  for (fs::directory_iterator i(folder, error), end;
       !error && i != end && names.size() < most_names; i.increment(error))
    names.push_back(i->path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(file.filename().string(), names);
}

/// The value and the place of the path parameter that leads to `file`.
std::pair<std::string, Place> find_parameter(const ReadComponent& component,
                                             const std::string& file) {
  std::pair<std::string, Place> best{"", component.place};
  for (const auto& parameter : component.entry->info.parameters) {
    if (parameter.type != ParameterType::path) continue;
    const auto value =
        std::find_if(component.config.values.begin(), component.config.values.end(),
                     [&](const auto& named) { return named.first == parameter.name; });
    if (value == component.config.values.end()) continue;
    const auto& path = std::get<std::string>(value->second);
    const bool leads = !path.empty() && file.starts_with(path);
    if (!leads || path.size() <= best.first.size()) continue;
    const auto written = std::find_if(component.written.begin(), component.written.end(),
                                      [&](const auto& w) { return w.first == parameter.name; });
    best = {path, written == component.written.end() ? component.place : written->second};
  }
  return best;
}

std::string advise(const fs::path& file, const fs::path& data, const CheckOptions& options) {
  std::error_code error;
  const auto relative = file.lexically_relative(data);
  const bool below = !relative.empty() && *relative.begin() != "..";
  std::string set = "set it with --data DIR or $SEMBLANCE_DATA";
  const std::string command = below && options.fetching ? options.fetching(relative.string()) : "";
  if (!command.empty()) set += ", or download this data set: " + command;
  if (below && !fs::is_directory(data, error))
    return "the data folder " + quote(data.string()) + " does not exist; " + set;
  std::string text = nearby(file);
  if (below)
    text += (text.empty() ? "" : " ") + ("(the data folder is " + quote(data.string())) + "; " +
            set + ")";
  return text;
}

void check_files(const ReadComponent& read, const Component& component, const fs::path& data,
                 const CheckOptions& options, Problems& problems) {
  std::set<std::string> reported;  // one message per parameter
  for (const std::string& file : component.files()) {
    const Trouble of_file = trouble(file);
    if (of_file.reason.empty()) continue;
    const auto [path, place] = find_parameter(read, file);
    if (!reported.insert(path).second) continue;
    // Reports a missing folder rather than the first file that should be in it.
    const Trouble of_folder = path.empty() ? Trouble() : trouble(path);
    const bool folder = !of_folder.reason.empty();
    const std::string guilty = folder ? path : file;
    const Trouble& found = folder ? of_folder : of_file;
    problems.error(place, "'" + guilty + "' " + found.reason,
                   found.missing ? advise(guilty, data, options) : found.remedy);
  }
}

/// The place of the parameter that a component complains about, as "NAME: ..." or "'NAME' ...";
/// otherwise the component's own place.
Place place_of(const std::string& complaint, const ReadComponent& component) {
  for (const auto& [name, place] : component.written)
    if (complaint.starts_with(name + ": ") || complaint.starts_with("'" + name + "' "))
      return place;
  return component.place;
}

/// Creates a component that was read completely, after its parts, so that its own checks run. If
/// `options` say so, the files it will read must exist. `node` is empty for a component that is a
/// parameter of another. Relative paths start from `data`.
void check_component(const std::string& node, const ReadComponent& read, const Catalogue& catalogue,
                     const fs::path& data, const CheckOptions& options, Problems& problems) {
  const std::size_t before = problems.errors();
  for (const auto& part : read.parts) check_component("", part, catalogue, data, options, problems);
  if (problems.errors() != before) return;
  try {
    const auto component = catalogue.create(read.config);
    if (options.prepare && !node.empty()) options.prepare(node, *component);
    if (options.check_files) check_files(read, *component, data, options, problems);
  } catch (const std::exception& e) {
    problems.error(place_of(e.what(), read), e.what());
  }
}

PipelineNode make_node(const NodeSpecification& specification, std::size_t index,
                       const Graph& graph, const std::vector<std::size_t>& place_in_order,
                       std::uint64_t seed, const Catalogue& catalogue) {
  PipelineNode node;
  node.name = specification.name;
  node.position = specification.place.position;
  node.entry = specification.component.entry;
  node.component = specification.component.config;
  node.figures = figures_of(node.component, catalogue);
  for (const Edge& edge : graph.inputs[index]) {
    if (node.inputs.empty() || node.inputs.back().port != edge.port->name)
      node.inputs.push_back({edge.port->name, {}});
    node.inputs.back().nodes.push_back(place_in_order[edge.node]);
  }
  node.seed_by_name = specification.seed_by_name;
  node.seed =
      node.seed_by_name ? digest_of(node.name, seed).low : specification.seed.value_or(seed);
  node.origin = place_in_order[*graph.origin[index]];
  const bool samples = node.info().output->type == PortType::samples;
  if (samples && graph.layouts[index].size() == 1) node.layout = graph.layouts[index].front();
  return node;
}

Pipeline make_pipeline(const Specification& specification, const Graph& graph,
                       const std::string& file_name, const Catalogue& catalogue,
                       const CheckOptions& options) {
  Pipeline pipeline;
  pipeline.name = specification.name;
  pipeline.description = specification.description;
  pipeline.seed = options.seed.value_or(specification.seed);
  pipeline.file = file_name;
  std::vector<std::size_t> place_in_order(specification.nodes.size());
  for (std::size_t i = 0; i < graph.order.size(); ++i) place_in_order[graph.order[i]] = i;
  for (const std::size_t index : graph.order)
    pipeline.nodes.push_back(make_node(specification.nodes[index], index, graph, place_in_order,
                                       pipeline.seed, catalogue));
  return pipeline;
}

}  // namespace

std::optional<Pipeline> check_nodes(const YamlNode& root, const std::string& file_name,
                                    const Catalogue& catalogue, const CheckOptions& options,
                                    Problems& problems) {
  const std::size_t errors_of_syntax = problems.errors();
  ComponentReader components(catalogue, options.data, problems);
  const Specification specification = read_specification(root, catalogue, components, problems);
  Graph graph = connect(specification, catalogue, problems);
  sort_graph(specification, graph, problems);
  propagate(specification, catalogue, graph, problems);
  check_calibrators(specification, catalogue, graph, problems);
  // If keys or values are missing from the tree, this would report errors that do not exist.
  if (errors_of_syntax == 0 && options.needs_result) check_purpose(specification, graph, problems);
  for (const auto& node : specification.nodes)
    if (node.component.complete)
      check_component(node.name, node.component, catalogue, components.data(), options, problems);
  if (problems.errors() == 0) {
    check_missing_values(specification, catalogue, graph, problems);
    check_targets(specification, catalogue, graph, options.of_model, problems);
    check_row_weights(specification, catalogue, graph, problems);
    check_row_groups(specification, catalogue, graph, problems);
    if (!options.of_model) check_left_out(specification, catalogue, graph, problems);
  }
  if (problems.errors() > 0) return std::nullopt;
  return make_pipeline(specification, graph, file_name, catalogue, options);
}

}  // namespace semblance
