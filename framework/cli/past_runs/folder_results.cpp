// SPDX-License-Identifier: MIT
#include "cli/past_runs/folder_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "pipeline/diagnostic.hpp"
#include "pipeline/problems.hpp"
#include "pipeline/source_text.hpp"
#include "pipeline/yaml_tree.hpp"
#include "registry/figures.hpp"
#include "report/run_record.hpp"
#include "report/tables/result_table_json.hpp"
#include "semblance/error.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// The text of a field; empty for another type or none.
std::string text_in(const Json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number_in(const Json& object, const char* field) {
  const auto found = object.find(field);
  return found != object.end() && found->is_number() ? found->get<double>() : no_number;
}

/// Unknown words are those of a later version.
FigureUnit unit_or_plain(const std::string& word) {
  try {
    return figure_unit_named(word);
  } catch (const Error&) {
    return FigureUnit::plain;
  }
}

std::vector<double> numbers(const Json& array) {
  std::vector<double> values;
  for (const Json& value : array)
    values.push_back(value.is_number() ? value.get<double>() : no_number);
  return values;
}

/// Whether it has the form {"x": [...], "y": [...]}, of one length.
bool is_curve(const Json& value) {
  return value.is_object() && value.size() == 2 && value.contains("x") && value.contains("y") &&
         value["x"].is_array() && value["y"].is_array() && value["x"].size() == value["y"].size();
}

void add_node(const std::string& name, const Json& node, const Json& declared,
              FolderResults& results) {
  const std::string component = text_in(node, "component");
  for (const auto& [key, value] : node.items()) {
    if (is_curve(value)) {
      results.curves.push_back({name, key, numbers(value["x"]), numbers(value["y"])});
      continue;
    }
    if (!value.is_number() || key == "seconds") continue;
    ReportedFigure figure{.node = name, .figure = key, .value = value.get<double>()};
    const auto pointer = Json::json_pointer() / component / key;
    if (declared.contains(pointer) && declared[pointer].is_object()) {
      const Json& info = declared[pointer];
      figure.unit = unit_or_plain(text_in(info, "unit"));
      figure.better = direction_named(text_in(info, "better")).value_or(Better::none);
      const auto headline = info.find("headline");
      figure.headline = kind_of(component) == "evaluator" && headline != info.end() &&
                        headline->is_boolean() && headline->get<bool>();
    }
    results.figures.push_back(std::move(figure));
  }
}

/// The mean over the folds that chose the parameters, where no evaluator judged the result.
void add_selection(const Json& selection, FolderResults& results) {
  const std::string metric = text_in(selection, "metric");
  const double mean = number_in(selection, "mean");
  const std::size_t dot = metric.find('.');
  if (dot == metric.npos || !std::isfinite(mean)) return;
  ReportedFigure figure{metric.substr(0, dot), metric.substr(dot + 1), mean};
  const auto same = [&](const ReportedFigure& other) {
    return other.node == figure.node && other.figure == figure.figure;
  };
  if (std::ranges::any_of(results.figures, same)) return;
  figure.better = direction_named(text_in(selection, "better")).value_or(Better::none);
  figure.headline = std::ranges::none_of(results.figures, &ReportedFigure::headline);
  results.figures.push_back(std::move(figure));
}

Error damaged(const fs::path& file, const char* what) {
  return Error(fmt::format("'{}' is damaged: {}", file.string(), what));
}

FolderResults run_results(const fs::path& file) {
  const Json metrics = read_json(file);
  if (!metrics.is_object() || !metrics.contains("nodes") || !metrics["nodes"].is_object())
    throw damaged(file, "it has no nodes");
  FolderResults results;
  results.kind = "run";
  results.name = text_in(metrics, "pipeline");
  results.wall_seconds = number_in(metrics, "wall_seconds");
  results.stopped_by = text_in(metrics, "stopped_by");
  if (const auto seed = metrics.find("seed"); seed != metrics.end() && seed->is_number_unsigned())
    results.seed = seed->get<std::uint64_t>();
  const Json none = Json::object();
  const auto declared = metrics.find("figures");
  for (const auto& [name, node] : metrics["nodes"].items())
    if (node.is_object())
      add_node(name, node, declared != metrics.end() && declared->is_object() ? *declared : none,
               results);
  if (const auto selection = metrics.find("selection");
      selection != metrics.end() && selection->is_object())
    add_selection(*selection, results);
  return results;
}

/// The methods of a study with their means. `suggest` writes the measurements only.
Json compared_methods(const Json& study) {
  const auto comparison = study.is_object() ? study.find("comparison") : study.end();
  const Json& from = comparison == study.end() ? study : *comparison;
  if (!from.is_object() || !from.contains("methods") || !from["methods"].is_array()) return nullptr;
  Json methods = from["methods"];
  for (Json& method : methods) {
    if (!method.is_object() || method.contains("mean") || !method.contains("measurements"))
      continue;
    double sum = 0;
    for (const Json& measured : method["measurements"]) sum += number_in(measured, "value");
    if (!method["measurements"].empty())
      method["mean"] = sum / static_cast<double>(method["measurements"].size());
  }
  return methods;
}

FolderResults study_results(const fs::path& folder) {
  const fs::path file = folder / "study.json";
  const Json study = read_json(file);
  const Json methods = compared_methods(study);
  if (!methods.is_array()) throw damaged(file, "it has no comparison of methods");
  FolderResults results;
  std::error_code none;
  // What holds for all variants is in the study's own metrics.json.
  if (fs::exists(folder / "metrics.json", none)) {
    const FolderResults of_all = run_results(folder / "metrics.json");
    results.seed = of_all.seed;
    results.wall_seconds = of_all.wall_seconds;
  }
  results.kind = "study";
  results.name = text_in(study, "study");
  results.stopped_by = text_in(study, "stopped_by");
  const std::string metric = text_in(study, "metric");
  const auto higher = study.find("higher_is_better");
  const bool is_higher = higher != study.end() && higher->is_boolean() && higher->get<bool>();
  for (const Json& method : methods) {
    if (!method.is_object()) continue;
    const double mean = number_in(method, "mean");
    const auto best = method.find("best");
    if (std::isfinite(mean))
      results.figures.push_back({text_in(method, "name"), metric, mean,
                                 unit_or_plain(text_in(study, "unit")),
                                 is_higher ? Better::higher : Better::lower,
                                 best != method.end() && best->is_boolean() && best->get<bool>()});
  }
  return results;
}

void flatten(const YamlNode& node, const std::string& path,
             std::vector<std::pair<std::string, std::string>>& parameters) {
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  for (const YamlEntry& entry : node.entries)
    flatten(entry.value, below(entry.key.text), parameters);
  if (node.is_mapping()) return;
  if (!node.is_list()) {
    parameters.emplace_back(path, node.text);
    return;
  }
  const bool plain =
      std::ranges::all_of(node.items, [](const YamlNode& item) { return item.is_scalar(); });
  if (plain) {
    std::string text;
    for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + item.text;
    parameters.emplace_back(path, "[" + text + "]");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    flatten(node.items[i], below(std::to_string(i)), parameters);
}

}  // namespace

FolderResults read_results(const fs::path& folder) {
  std::error_code none;
  if (fs::exists(folder / "study.json", none)) return study_results(folder);
  if (fs::exists(folder / "metrics.json", none)) return run_results(folder / "metrics.json");
  throw Error("'" + folder.string() +
              "' is neither the folder of a run (metrics.json) nor of a study (study.json)");
}

std::vector<ReportedFigure> headline_figures(const FolderResults& results) {
  std::vector<ReportedFigure> chosen;
  std::ranges::copy_if(results.figures, std::back_inserter(chosen), &ReportedFigure::headline);
  std::ranges::stable_partition(chosen,
                                [](const auto& figure) { return figure.better == Better::lower; });
  return chosen;
}

std::vector<std::pair<std::string, std::string>> read_parameters(const fs::path& folder) {
  std::error_code none;
  const fs::path file =
      folder / (fs::exists(folder / "study.yaml", none) ? "study.yaml" : "pipeline.yaml");
  if (!fs::exists(file, none)) return {};
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  const SourceText source(file.string(), {std::istreambuf_iterator<char>(in), {}});
  Problems problems;
  const auto tree = parse_yaml(source, problems);
  if (!tree || problems.errors() > 0)
    throw Error("'" + file.string() + "' is damaged:\n" + render(problems.take()));
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const YamlEntry& entry : tree->entries) {
    const std::string& key = entry.key.text;
    if (key == "name" || key == "description") continue;
    flatten(entry.value, key == "nodes" ? "" : key, parameters);
  }
  return parameters;
}

std::vector<ReportedFigure> figures_of(const HistoryEntry& entry) {
  std::vector<ReportedFigure> figures;
  if (!entry.metrics.is_object()) return figures;
  for (const auto& [node, reported] : entry.metrics.items()) {
    if (!reported.is_object()) continue;
    for (const auto& [name, value] : reported.items()) {
      if (!value.is_number()) continue;
      ReportedFigure figure{.node = node, .figure = name, .value = value.get<double>()};
      const auto pointer = Json::json_pointer() / node / name;
      if (entry.units.contains(pointer) && entry.units[pointer].is_string())
        figure.unit = unit_or_plain(entry.units[pointer].get<std::string>());
      figure.headline = true;
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

bool belong_to(const FolderResults& results, const HistoryEntry& entry) {
  if (results.name != entry.name || results.seed != entry.seed || results.kind != entry.kind)
    return false;
  return std::ranges::all_of(figures_of(entry), [&](const ReportedFigure& known) {
    return std::ranges::any_of(results.figures, [&](const ReportedFigure& found) {
      return found.node == known.node && found.figure == known.figure && found.value == known.value;
    });
  });
}

}  // namespace semblance::cli
