// SPDX-License-Identifier: MIT
#include "cli/board/board_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "cli/board/run_filter.hpp"
#include "cli/compared_table.hpp"
#include "registry/figures.hpp"
#include "report/level_curves.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "semblance/error.hpp"
#include "support/figure_text.hpp"

namespace semblance::board {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 400;
constexpr std::size_t most_log = 1U << 16U;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json figure_json(const cli::ReportedFigure& figure) {
  return {{"node", figure.node},           {"figure", figure.figure},
          {"value", finite(figure.value)}, {"text", figure_text(figure.unit, figure.value)},
          {"unit", name(figure.unit)},     {"better", name(figure.better)},
          {"headline", figure.headline}};
}

/// The points of a curve, as many as a drawing of its width can show.
Json points_json(const cli::ReportedCurve& curve) {
  const std::size_t count = curve.x.size();
  const std::size_t step = std::max<std::size_t>(1, (count + most_points - 1) / most_points);
  Json x = Json::array(), y = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    if (i % step != 0 && i + 1 != count) continue;
    x.push_back(finite(curve.x[i]));
    y.push_back(finite(curve.y[i]));
  }
  return {{"x", std::move(x)}, {"y", std::move(y)}};
}

/// All that a run's folder says; figures of the list where it says nothing of them.
struct Read {
  cli::FolderResults results;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<std::string> remarks;
};

Read read_all(const BoardRun& run) {
  Read read;
  read.results.figures = run.figures;
  if (run.gone) {
    read.remarks.push_back("The folder is gone: only the history's figures are left.");
    return read;
  }
  if (run.replaced) {
    read.remarks.push_back(
        "The folder has the results of a later run: only the history's figures are left.");
    return read;
  }
  const auto live = live_run(run.folder);
  const bool goes_on = run.status == "running" || run.status == "killed";
  if (goes_on && live) read.results.figures = live->figures();
  try {
    if (!goes_on) {
      cli::FolderResults results = cli::read_results(run.folder);
      HistoryEntry entry;
      entry.kind = run.kind;
      entry.name = run.name;
      entry.seed = run.seed.value_or(0);
      for (const auto& figure : run.figures)
        entry.metrics[figure.node][figure.figure] = figure.value;
      if (!run.history_id.empty() && !cli::belong_to(results, entry))
        throw Error("the folder has the results of another run than the history's");
      read.results = std::move(results);
    }
    read.parameters = cli::read_parameters(goes_on && live ? live->place : run.folder);
  } catch (const std::exception& problem) {
    if (run.status != "failed") read.remarks.emplace_back(problem.what());
  }
  return read;
}

struct CommonFigure {
  std::string key;
  FigureUnit unit = FigureUnit::plain;
  Better better = Better::none;
  std::size_t runs = 0;
  const BoardRun* last = nullptr;
};

/// What most runs report first; of equally many, in the order of the first run's report.
std::vector<CommonFigure> common_figures(const std::vector<const BoardRun*>& runs) {
  std::vector<CommonFigure> figures;
  std::map<std::string, std::size_t> places;
  for (const BoardRun* run : runs)
    for (const auto& figure : run->figures) {
      const std::string key = key_of(*run, figure);
      const auto [place, is_new] = places.try_emplace(key, figures.size());
      if (is_new) figures.push_back({key});
      CommonFigure& common = figures[place->second];
      if (std::exchange(common.last, run) == run) continue;
      common.unit = figure.unit;
      common.better = figure.better;
      ++common.runs;
    }
  std::ranges::stable_sort(figures, std::ranges::greater(), &CommonFigure::runs);
  return figures;
}

/// One entry per key, with a place per run.
class Sheet {
 public:
  explicit Sheet(std::size_t runs) : runs_(runs) {}
  Json& at(const std::string& key, std::size_t run) {
    const auto [place, is_new] = places_.try_emplace(key, rows_.size());
    if (is_new) {
      rows_.push_back({{"key", key}, {"values", Json::array()}});
      for (std::size_t i = 0; i < runs_; ++i) rows_.back()["values"].push_back(nullptr);
    }
    return rows_[place->second]["values"][run];
  }
  Json& row(const std::string& key) { return rows_[places_.at(key)]; }
  const std::vector<Json>& rows() const { return rows_; }

 private:
  std::size_t runs_;
  std::map<std::string, std::size_t> places_;
  std::vector<Json> rows_;
};

Json tests_json(const std::vector<BoardRun>& runs, const std::string& metric,
                const std::string& better) {
  try {
    std::vector<fs::path> folders;
    for (const BoardRun& run : runs) {
      if (run.gone || run.replaced || run.status == "running")
        throw Error("'" + run.place + "' has no results in its folder to test");
      folders.push_back(run.folder);
    }
    if (folders.size() < 2) throw Error("choose at least two runs");
    const ResultTable table =
        cli::compared_table(folders, metric, direction_named(better).value_or(Better::none),
                            [](const std::string&) { return std::vector<FigureInfo>(); });
    const Comparison comparison = compare(table);
    Json json = semblance::comparison_json(table, comparison);
    json["metric"] = table.metric;
    json["unit"] = name(table.unit);
    json["higher_is_better"] = table.higher_is_better;
    json["blocks"] = table.blocks;
    if (table.baseline) json["baseline"] = *table.baseline;
    json["text"] = table_plain(table, comparison);
    return json;
  } catch (const std::exception& problem) {
    return {{"problem", problem.what()}};
  }
}

/// The rows that differ between runs of which any parameter is known.
Json differing(const Sheet& sheet) {
  std::set<std::size_t> known;
  for (const Json& row : sheet.rows())
    for (std::size_t i = 0; i < row["values"].size(); ++i)
      if (!row["values"][i].is_null()) known.insert(i);
  Json rows = Json::array();
  for (const Json& row : sheet.rows()) {
    const Json& values = row["values"];
    if (std::ranges::any_of(known,
                            [&](std::size_t i) { return values[i] != values[*known.begin()]; }))
      rows.push_back(row);
  }
  return rows;
}

}  // namespace

Json row_json(const BoardRun& run) {
  Json figures = Json::object();
  for (const auto& figure : run.figures) {
    Json& shown = figures[key_of(run, figure)];
    if (shown.is_null()) shown = figure_json(figure);
  }
  return {{"id", run.id},
          {"kind", run.kind},
          {"name", run.name},
          {"place", run.place},
          {"folder", run.folder.string()},
          {"started", run.started},
          {"wall_seconds", finite(run.wall_seconds)},
          // Exceeds what a script counts exactly.
          {"seed", run.seed ? Json(std::to_string(*run.seed)) : Json(nullptr)},
          {"status", run.status},
          {"version", run.version},
          {"command", run.command},
          {"figures", std::move(figures)},
          {"tags", run.tags},
          {"note", run.note},
          {"history", run.history_id},
          {"gone", run.gone},
          {"replaced", run.replaced},
          {"problem", run.problem}};
}

Json list_json(const BoardRuns& all, const std::string& filter, const std::string& sort,
               std::size_t offset, std::size_t most) {
  const auto matches = run_filter(filter);
  std::vector<const BoardRun*> shown;
  for (const BoardRun& run : all.runs)
    if (matches(run)) shown.push_back(&run);
  sort_runs(shown, sort.empty() ? "-started" : sort);
  const auto running = std::ranges::count(shown, "running", &BoardRun::status);
  Json figures = Json::array();
  for (const CommonFigure& figure : common_figures(shown))
    figures.push_back({{"key", figure.key},
                       {"unit", name(figure.unit)},
                       {"better", name(figure.better)},
                       {"runs", figure.runs}});
  Json rows = Json::array();
  for (std::size_t i = offset; i < shown.size() && i - offset < most; ++i)
    rows.push_back(row_json(*shown[i]));
  return {{"total", all.runs.size()},      {"matching", shown.size()}, {"offset", offset},
          {"unread", all.unread},          {"running", running},       {"problems", all.problems},
          {"figures", std::move(figures)}, {"runs", std::move(rows)}};
}

Json details_json(const BoardRun& run) {
  Json json = row_json(run);
  const Read read = read_all(run);
  json["parameters"] = Json::array();
  for (const auto& [key, value] : read.parameters) json["parameters"].push_back({key, value});
  json["all_figures"] = Json::array();
  for (const auto& figure : read.results.figures)
    json["all_figures"].push_back(figure_json(figure));
  json["curves"] = Json::array();
  for (const auto& curve : read.results.curves) {
    if (is_convergence_level(curve.name)) continue;
    Json points = points_json(curve);
    points["key"] = curve.node + "." + curve.name;
    json["curves"].push_back(std::move(points));
  }
  json["remarks"] = read.remarks;
  if (run.gone || run.replaced) return json;
  const auto live = live_run(run.folder);
  const bool goes_on = run.status == "running" && live;
  if (goes_on) json["progress"] = live->progress;
  const fs::path place = goes_on ? live->place : run.folder;
  json["log"] = last_lines(place / "run.log", most_log);
  json["files"] = Json::array();
  for (const char* file : {"report.html", "metrics.json", "study.json", "pipeline.yaml",
                           "study.yaml", "table.csv", "run.log", "trace.json"}) {
    std::error_code none;
    if (fs::exists(run.folder / file, none)) json["files"].push_back(file);
  }
  return json;
}

Json comparison_json(const std::vector<BoardRun>& runs, const std::string& metric,
                     const std::string& better) {
  Json json = {{"runs", Json::array()}};
  Sheet figures(runs.size()), parameters(runs.size()), curves(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Read read = read_all(runs[i]);
    Json row = row_json(runs[i]);
    row["remarks"] = read.remarks;
    json["runs"].push_back(std::move(row));
    for (const auto& figure : read.results.figures) {
      const std::string key = figure.node + "." + figure.figure;
      figures.at(key, i) = {{"value", finite(figure.value)},
                            {"text", figure_text(figure.unit, figure.value)}};
      figures.row(key)["better"] = name(figure.better);
      if (figure.headline) figures.row(key)["headline"] = true;
    }
    for (const auto& [key, value] : read.parameters) parameters.at(key, i) = value;
    for (const auto& curve : read.results.curves)
      if (!is_convergence_level(curve.name))
        curves.at(curve.node + "." + curve.name, i) = points_json(curve);
  }
  json["figures"] = figures.rows();
  json["parameters"] = differing(parameters);
  json["curves"] = curves.rows();
  json["tests"] = tests_json(runs, metric, better);
  return json;
}

}  // namespace semblance::board
