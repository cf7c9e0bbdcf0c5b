// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "cli/board/board.hpp"
#include "cli/past_runs/past_run.hpp"
#include "cli/runs/compared_table.hpp"
#include "registry/figures.hpp"
#include "report/drawings/level_curves.hpp"
#include "report/tables/table_text.hpp"
#include "semblance/error.hpp"
#include "support/figure_text.hpp"

namespace semblance::board {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 400;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// The name of a figure in the list: NODE.FIGURE of a run, the metric of a study.
std::string key_of(const BoardRun& run, const cli::ReportedFigure& figure) {
  return run.entry.kind == "study" ? figure.figure : figure.node + "." + figure.figure;
}

Json value_json(const cli::ReportedFigure& figure) {
  return {{"value", finite(figure.value)}, {"text", figure_text(figure.unit, figure.value)}};
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
cli::PastRun read_all(const BoardRun& run) {
  const std::string& status = run.entry.status;
  const bool finished = status != "running" && status != "killed";
  if (!run.gone && !run.replaced && finished) {
    cli::PastRun past = cli::past_run(run.entry, run.folder);
    if (status == "failed") past.problem.clear();
    return past;
  }
  cli::PastRun past;
  past.figures = run.figures;
  if (run.gone) {
    past.problem = "The folder is gone: only the history's figures are left.";
  } else if (run.replaced) {
    past.problem =
        "The folder has the results of a later run: only the history's figures are left.";
  } else {
    const auto live = live_run(run.folder);
    if (live) past.figures = live->figures();
    try {
      past.parameters = cli::read_parameters(live ? live->place : run.folder);
    } catch (const std::exception& problem) {
      past.problem = problem.what();
    }
  }
  return past;
}

Json remarks(const cli::PastRun& past) {
  return past.problem.empty() ? Json::array() : Json::array({past.problem});
}

/// The last lines of a file; empty where it cannot be read.
std::string last_lines(const fs::path& file) {
  constexpr std::size_t most = 1U << 16U;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const auto size = static_cast<std::size_t>(in.tellg());
  const std::size_t begin = size > most ? size - most : 0;
  in.seekg(static_cast<std::streamoff>(begin));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (begin > 0) text.erase(0, text.find('\n') + 1);
  return text;
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
      if (run.gone || run.replaced || run.entry.status == "running")
        throw Error("'" + run.place + "' has no results in its folder to test");
      folders.push_back(run.folder);
    }
    if (folders.size() < 2) throw Error("choose at least two runs");
    const ResultTable table =
        cli::compared_table(folders, metric, direction_named(better).value_or(Better::none));
    return {{"metric", table.metric}, {"text", table_plain(table, compare(table))}};
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

/// The best methods of a study: what it suggests.
Json best_methods(const BoardRun& run) {
  Json best = Json::array();
  if (run.entry.kind != "study") return best;
  for (const auto& figure : run.figures)
    if (std::ranges::find(best, Json(figure.node)) == best.end()) best.push_back(figure.node);
  return best;
}

}  // namespace

Json row_json(const BoardRun& run) {
  Json figures = Json::object();
  for (const auto& figure : run.figures) {
    Json& shown = figures[key_of(run, figure)];
    if (!shown.is_null()) continue;
    shown = value_json(figure);
    shown["better"] = name(figure.better);
  }
  return {{"id", run.id},
          {"kind", run.entry.kind},
          {"name", run.entry.name},
          {"place", run.place},
          {"best", best_methods(run)},
          {"started", run.entry.started},
          {"wall_seconds", finite(run.entry.wall_seconds)},
          // Both exceed what a script counts exactly.
          {"order", std::to_string(run.entry.order)},
          {"seed", run.has_seed ? Json(std::to_string(run.entry.seed)) : Json(nullptr)},
          {"status", run.entry.status},
          {"figures", std::move(figures)},
          {"tags", run.entry.tags},
          {"note", run.entry.note},
          {"gone", run.gone},
          {"problem", run.problem}};
}

Json list_json(const BoardRuns& all) {
  Json rows = Json::array();
  for (const BoardRun& run : all.runs) rows.push_back(row_json(run));
  return {{"problems", all.problems}, {"runs", std::move(rows)}};
}

Json details_json(const BoardRun& run) {
  Json json = row_json(run);
  json["folder"] = run.folder.string();
  json["command"] = run.entry.command;
  const cli::PastRun read = read_all(run);
  json["parameters"] = Json::array();
  for (const auto& [key, value] : read.parameters) json["parameters"].push_back({key, value});
  json["all_figures"] = Json::array();
  for (const auto& figure : read.figures) {
    Json shown = value_json(figure);
    shown["node"] = figure.node;
    shown["figure"] = figure.figure;
    shown["headline"] = figure.headline;
    json["all_figures"].push_back(std::move(shown));
  }
  json["curves"] = Json::array();
  for (const auto& curve : read.curves) {
    if (is_convergence_level(curve.name)) continue;
    Json points = points_json(curve);
    points["key"] = curve.node + "." + curve.name;
    json["curves"].push_back(std::move(points));
  }
  json["remarks"] = remarks(read);
  if (run.gone || run.replaced) return json;
  const auto live = live_run(run.folder);
  const bool goes_on = run.entry.status == "running" && live;
  if (goes_on) json["progress"] = live->progress;
  const fs::path place = goes_on ? live->place : run.folder;
  json["log"] = last_lines(place / "run.log");
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
    const cli::PastRun read = read_all(runs[i]);
    json["runs"].push_back({{"place", runs[i].place}, {"remarks", remarks(read)}});
    for (const auto& figure : read.figures) {
      const std::string key = figure.node + "." + figure.figure;
      figures.at(key, i) = value_json(figure);
      figures.row(key)["better"] = name(figure.better);
      if (figure.headline) figures.row(key)["headline"] = true;
    }
    for (const auto& [key, value] : read.parameters) parameters.at(key, i) = value;
    for (const auto& curve : read.curves)
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
