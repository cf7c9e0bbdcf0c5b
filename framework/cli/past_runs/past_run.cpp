// SPDX-License-Identifier: MIT
#include "cli/past_runs/past_run.hpp"

#include <fmt/format.h>

#include <map>

#include "semblance/error.hpp"
#include "support/csv_field.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Columns in the order in which runs first have them.
class Columns {
 public:
  std::size_t operator[](const std::string& name) {
    const auto [place, is_new] = places_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(name);
    return place->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

std::string spaced(const std::vector<std::string>& tags) {
  std::string text;
  for (const std::string& tag : tags) text += (text.empty() ? "" : " ") + tag;
  return text;
}

/// The shortest text that gives the same number.
std::string number_text(double value) { return fmt::format("{}", value); }

}  // namespace

PastRun past_run(HistoryEntry entry, const fs::path& folder) {
  PastRun run;
  run.folder = folder;
  run.figures = figures_of(entry);
  try {
    if (!fs::is_directory(run.folder)) throw Error("its folder is gone");
    FolderResults results = read_results(run.folder);
    if (!belong_to(results, entry)) throw Error("its folder has the results of another run");
    run.figures = std::move(results.figures);
    run.curves = std::move(results.curves);
    run.parameters = read_parameters(run.folder);
  } catch (const std::exception& problem) {
    run.problem = problem.what();
  }
  run.entry = std::move(entry);
  return run;
}

std::string csv_of(const std::vector<PastRun>& runs) {
  Columns columns;
  std::vector<std::map<std::size_t, std::string>> lines;
  for (const PastRun& run : runs) {
    auto& line = lines.emplace_back();
    const HistoryEntry& entry = run.entry;
    const std::pair<const char*, std::string> own[] = {
        {"id", entry.id},
        {"kind", entry.kind},
        {"name", entry.name},
        {"folder", run.folder.string()},
        {"started", entry.started},
        {"wall_seconds", number_text(entry.wall_seconds)},
        {"status", entry.status},
        {"seed", std::to_string(entry.seed)},
        {"tags", spaced(entry.tags)},
        {"note", entry.note},
        {"version", entry.version},
        {"command", entry.command}};
    for (const auto& [name, value] : own) line[columns[name]] = spreadsheet_field(value);
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& [name, value] : runs[i].parameters)
      lines[i][columns["parameter " + name]] = spreadsheet_field(value);
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const ReportedFigure& figure : runs[i].figures)
      lines[i][columns["figure " + figure.node + "." + figure.figure]] = number_text(figure.value);
  std::string text;
  for (std::size_t c = 0; c < columns.names().size(); ++c)
    text += (c > 0 ? "," : "") + spreadsheet_field(columns.names()[c]);
  if (!runs.empty()) text += "\n";
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < columns.names().size(); ++c) {
      const auto field = line.find(c);
      if (c > 0) text += ",";
      if (field != line.end()) text += field->second;
    }
    text += "\n";
  }
  return text;
}

std::string json_lines_of(const std::vector<PastRun>& runs) {
  std::string text;
  for (const PastRun& run : runs) {
    Json line = entry_json(run.entry);
    line["folder"] = run.folder.string();
    line["parameters"] = Json::object();
    for (const auto& [name, value] : run.parameters) line["parameters"][name] = value;
    line["figures"] = Json::object();
    for (const ReportedFigure& figure : run.figures)
      line["figures"][figure.node][figure.figure] = figure.value;
    text += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

}  // namespace semblance::cli
