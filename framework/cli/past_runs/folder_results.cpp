// SPDX-License-Identifier: MIT
#include "cli/past_runs/folder_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>

#include "pipeline/yaml/diagnostic.hpp"
#include "pipeline/yaml/problems.hpp"
#include "pipeline/yaml/source_text.hpp"
#include "registry/figures.hpp"
#include "report/run_record.hpp"
#include "report/tables/comparison.hpp"
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

/// Adds the numbers and curves of a node. An evaluator without headlines has its first figures.
void add_node(const std::string& name, const Json& node, const Json& declared,
              FolderResults& results) {
  constexpr std::size_t most = 3;
  const std::string component = text_in(node, "component");
  const bool judges = kind_of(component) == "evaluator";
  const std::size_t first = results.figures.size();
  results.nodes.emplace_back(name, component);
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
      figure.headline =
          judges && headline != info.end() && headline->is_boolean() && headline->get<bool>();
    }
    results.figures.push_back(std::move(figure));
  }
  const std::span own(results.figures.begin() + static_cast<std::ptrdiff_t>(first),
                      results.figures.end());
  if (judges && std::ranges::none_of(own, &ReportedFigure::headline))
    for (ReportedFigure& figure : own.first(std::min(most, own.size()))) figure.headline = true;
}

/// The figure that chose the parameters, where no evaluator judged the result.
void add_selection(const Json& selection, FolderResults& results) {
  const std::string metric = text_in(selection, "metric");
  const double value = number_in(selection, selection.contains("value") ? "value" : "mean");
  const std::size_t dot = metric.find('.');
  if (dot == metric.npos || !std::isfinite(value)) return;
  ReportedFigure figure{metric.substr(0, dot), metric.substr(dot + 1), value};
  const auto same = [&](const ReportedFigure& other) {
    return other.node == figure.node && other.figure == figure.figure;
  };
  if (std::ranges::any_of(results.figures, same)) return;
  figure.unit = unit_or_plain(text_in(selection, "unit"));
  figure.better = direction_named(text_in(selection, "better")).value_or(Better::none);
  figure.headline = std::ranges::none_of(results.figures, &ReportedFigure::headline);
  results.figures.push_back(std::move(figure));
}

/// A field of metrics.json that every run has.
const Json& field(const Json& metrics, const char* name, bool right_type(const Json&),
                  const fs::path& file) {
  const auto found = metrics.find(name);
  if (found == metrics.end() || !right_type(*found))
    throw Error(
        fmt::format("{}: '{}' is missing or has the wrong type; it does not belong to a run",
                    file.string(), name));
  return *found;
}

bool are_nodes(const Json& nodes) {
  return nodes.is_object() && std::ranges::all_of(nodes, [](const Json& node) {
           return node.is_object() && node.contains("component") && node["component"].is_string();
         });
}

FolderResults study_results(const fs::path& folder) {
  const StudyTable study = read_study(folder / "study.json");
  FolderResults results;
  std::error_code none;
  // What holds for all variants is in the study's own metrics.json.
  if (fs::exists(folder / "metrics.json", none)) {
    const FolderResults of_all = read_run(folder);
    results.seed = of_all.seed;
    results.wall_seconds = of_all.wall_seconds;
    results.stopped_by = of_all.stopped_by;
  }
  results.kind = "study";
  results.name = study.study;
  const ResultTable& table = study.table;
  const Comparison comparison = compare(table);
  // "rbf" rather than "method=rbf".
  const auto name_of = [&](const Method& method) {
    const bool short_name = table.slots == std::vector<std::string>{"method"};
    return short_name && !method.choices.empty() ? method.choices.front() : method.name;
  };
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (const Standing& standing = comparison.standings[i]; std::isfinite(standing.mean))
      results.figures.push_back({name_of(table.methods[i]), table.metric, standing.mean, table.unit,
                                 table.higher_is_better ? Better::higher : Better::lower,
                                 standing.best});
  return results;
}

fs::path definition_in(const fs::path& folder) {
  std::error_code none;
  return folder / (fs::exists(folder / "study.yaml", none) ? "study.yaml" : "pipeline.yaml");
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

FolderResults read_run(const fs::path& folder) {
  const fs::path file = folder / "metrics.json";
  FolderResults results;
  results.metrics = read_json(file);
  const Json& metrics = results.metrics;
  if (!metrics.is_object())
    throw Error(file.string() + ": is not a JSON object; it does not belong to a run");
  const auto is_text = [](const Json& j) { return j.is_string(); };
  const auto is_number = [](const Json& j) { return j.is_number_unsigned(); };
  results.kind = "run";
  results.name = field(metrics, "pipeline", is_text, file).get<std::string>();
  results.seed = field(metrics, "seed", is_number, file).get<std::uint64_t>();
  results.wall_seconds = number_in(metrics, "wall_seconds");
  results.stopped_by = text_in(metrics, "stopped_by");
  const auto declared = metrics.find("figures");
  const Json none = Json::object();
  for (const auto& [name, node] : field(metrics, "nodes", are_nodes, file).items())
    add_node(name, node, declared != metrics.end() && declared->is_object() ? *declared : none,
             results);
  return results;
}

FolderResults read_results(const fs::path& folder) {
  std::error_code none;
  if (fs::exists(folder / "study.json", none)) return study_results(folder);
  if (!fs::exists(folder / "metrics.json", none))
    throw Error("'" + folder.string() +
                "' is neither the folder of a run (metrics.json) nor of a study (study.json)");
  FolderResults results = read_run(folder);
  if (const auto selection = results.metrics.find("selection");
      selection != results.metrics.end() && selection->is_object())
    add_selection(*selection, results);
  return results;
}

std::string suggested_data(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(folder / "suggestion.json", none)) return "";
  const std::string name = read_study(folder / "study.json").study;
  const std::string_view start = "suggest: ";
  return name.starts_with(start) ? name.substr(start.size()) : name;
}

std::vector<ReportedFigure> headline_figures(const FolderResults& results) {
  std::vector<ReportedFigure> chosen;
  std::ranges::copy_if(results.figures, std::back_inserter(chosen), &ReportedFigure::headline);
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const auto& figure) { return figure.better == Better::lower; });
  return chosen;
}

YamlNode read_definition(const fs::path& folder) {
  const fs::path file = definition_in(folder);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read '" + file.string() + "'");
  const SourceText source(file.string(), {std::istreambuf_iterator<char>(in), {}});
  Problems problems;
  auto tree = parse_yaml(source, problems);
  if (!tree || problems.errors() > 0)
    throw Error("'" + file.string() + "' is damaged:\n" + render(problems.take()));
  return *std::move(tree);
}

std::vector<std::pair<std::string, std::string>> read_parameters(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(definition_in(folder), none)) return {};
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const YamlEntry& entry : read_definition(folder).entries) {
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
      if (entry.better.contains(pointer) && entry.better[pointer].is_string())
        figure.better =
            direction_named(entry.better[pointer].get<std::string>()).value_or(Better::none);
      figure.headline = true;
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

void set_figures(HistoryEntry& entry, const std::vector<ReportedFigure>& figures) {
  for (const ReportedFigure& figure : figures) {
    entry.metrics[figure.node][figure.figure] = figure.value;
    entry.units[figure.node][figure.figure] = name(figure.unit);
    entry.better[figure.node][figure.figure] = name(figure.better);
  }
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
