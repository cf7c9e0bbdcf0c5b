// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <iostream>

#include "cli/past_runs/entry_json.hpp"
#include "cli/past_runs/mlflow_store.hpp"
#include "cli/past_runs/past_run.hpp"
#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "report/metrics.hpp"
#include "support/atomic_file.hpp"
#include "support/figure_text.hpp"
#include "support/number_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {
namespace {

enum class HistoryAction { list, show, rm, exports };

/// The unit of a figure in the entry; older entries have none.
FigureUnit unit_of(const HistoryEntry& entry, const std::string& node, const std::string& figure) {
  const auto pointer = nlohmann::ordered_json::json_pointer() / node / figure;
  if (!entry.units.contains(pointer) || !entry.units[pointer].is_string()) return FigureUnit::plain;
  return figure_unit_named(entry.units[pointer].get_ref<const std::string&>());
}

/// The first figure of each node: "test: error_rate 3.10%; other: eer 1.00%"
std::string results_of(const HistoryEntry& entry) {
  std::string text;
  for (const auto& [node, figures] : entry.metrics.items()) {
    if (!figures.is_object()) continue;
    for (const auto& [figure, value] : figures.items()) {
      if (!value.is_number()) continue;
      text += fmt::format("{}{}: {} {}", text.empty() ? "" : "; ", node, figure,
                          figure_text(unit_of(entry, node, figure), value.get<double>()));
      break;
    }
  }
  return text;
}

void print_list(const std::vector<HistoryEntry>& entries) {
  if (entries.empty()) fmt::print("no runs recorded\n");
  for (const auto& entry : entries)
    fmt::print("{}  {}  {:7}  {:>12}  {}  {}\n", entry.id, entry.started, entry.status,
               seconds_text(entry.wall_seconds), entry.folder, results_of(entry));
}

void print_entry(const HistoryEntry& entry, const std::filesystem::path& root) {
  const auto line = [](const char* name, const std::string& value) {
    fmt::print("{:9}{}\n", name, value);
  };
  line("id", entry.id);
  line(entry.kind.c_str(), entry.name);
  line("folder", (root / entry.folder).string());
  line("started", entry.started);
  line("took", seconds_text(entry.wall_seconds));
  line("seed", std::to_string(entry.seed));
  line("status", entry.status);
  line("version", entry.version);
  line("command", entry.command);
  for (const std::string& tag : entry.tags) line("tag", tag);
  if (!entry.note.empty()) line("note", entry.note);
  for (const auto& [node, figures] : entry.metrics.items())
    for (const auto& [figure, value] : figures.items())
      line("result", node + "." + figure + " " + value.dump());
}

void remove(History& history, const std::string& id, const std::filesystem::path& root,
            bool files) {
  const HistoryEntry entry = history.find(id);
  const auto folder = (root / entry.folder).string();
  // The files first: if they cannot be deleted, the entry still refers to them.
  if (files && delete_files(root, entry)) fmt::print("deleted: {}\n", folder);
  history.remove(entry.id);
  fmt::print("removed from the history: {} ({})\n", entry.id, folder);
}

/// Writes the text into a file; "-" is the standard output.
void write_text(const std::string& file, const std::string& text) {
  if (file == "-") {
    fmt::print("{}", text);
    return;
  }
  write_file_atomically(file, text);
  fmt::print("written: {}\n", file);
}

void export_runs(const History& history, const std::filesystem::path& root,
                 const options::variables_map& values) {
  const std::string csv = option_text(values, "csv"), lines = option_text(values, "jsonl"),
                    mlflow = option_text(values, "mlflow");
  if (csv.empty() && lines.empty() && mlflow.empty())
    throw UsageError("history export needs --csv FILE, --jsonl FILE or --mlflow FOLDER");
  std::vector<PastRun> runs;
  for (HistoryEntry& entry : history.list()) {
    runs.push_back(past_run(std::move(entry), root));
    const PastRun& run = runs.back();
    if (!run.problem.empty() && run.entry.status != "failed")
      fmt::print(stderr, "note: of {} ({}) only what the history knows is exported: {}\n",
                 run.entry.id, safe_text(run.folder.string()), safe_text(run.problem));
  }
  if (!csv.empty()) write_text(csv, csv_of(runs));
  if (!lines.empty()) write_text(lines, json_lines_of(runs));
  if (mlflow.empty()) return;
  write_mlflow_store(runs, mlflow);
  fmt::print("written: {}; to look at it: mlflow ui --backend-store-uri {}\n",
             runs.size() == 1 ? "1 run" : std::to_string(runs.size()) + " runs", mlflow);
}

}  // namespace

int history_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("history");
  options::options_description described(
      "list     list all runs, oldest first\n"
      "show ID  show everything about one; the beginning of an ID is enough\n"
      "rm ID    remove one from the history\n"
      "export   write all runs, with their parameters and figures, for other programs\n\n"
      "Runs are recorded in ROOT/history.sqlite, where ROOT is the folder that contains their own\n"
      "folder: runs/ without --out; with --out, only if that file already exists.\n\n"
      "options",
      100);
  described.add_options()("root",
                          options::value<std::string>()->value_name("DIR")->default_value("runs"),
                          "the folder with the runs and their history")(
      "files", "with rm: also delete the run's folder")("json", "with list and show: as JSON")(
      "csv", options::value<std::string>()->value_name("FILE"),
      "with export: a table with one line per run; - writes to the standard output")(
      "jsonl", options::value<std::string>()->value_name("FILE"),
      "with export: one JSON object per line and run; - writes to the standard output")(
      "mlflow", options::value<std::string>()->value_name("FOLDER"),
      "with export: add the runs to a folder of runs that MLflow reads");
  options::positional_options_description places;
  places.add("argument", 2);
  const auto values = parse(verb, arguments, described, places);
  if (!values) return done;
  std::vector<std::string> given;
  if (values->count("argument")) given = (*values)["argument"].as<std::vector<std::string>>();
  const std::string word = given.empty() ? "" : given.front();
  const auto action = choice_named<HistoryAction>(word, {{"list", HistoryAction::list},
                                                         {"show", HistoryAction::show},
                                                         {"rm", HistoryAction::rm},
                                                         {"export", HistoryAction::exports}});
  if (!action)
    throw UsageError("history takes list, show ID, rm ID or export" +
                     (given.empty() ? "" : "; got '" + word + "'"));
  const bool takes_all = action == HistoryAction::list || action == HistoryAction::exports;
  if (given.size() != (takes_all ? 1 : 2))
    throw UsageError(takes_all ? "history " + word + " takes no ID"
                               : "an ID is missing: semblance history " + word + " ID");
  if (values->count("files") && action != HistoryAction::rm)
    throw UsageError("--files is for history rm only");
  for (const char* option : {"csv", "jsonl", "mlflow"})
    if (values->count(option) && action != HistoryAction::exports)
      throw UsageError(std::string("--") + option + " is for history export only");
  const std::filesystem::path root = (*values)["root"].as<std::string>();
  History history(root, History::Open::existing);
  const bool json = values->count("json") > 0;
  if (action == HistoryAction::exports) {
    export_runs(history, root, *values);
  } else if (action == HistoryAction::rm) {
    remove(history, given[1], root, values->count("files") > 0);
  } else if (action == HistoryAction::show) {
    const HistoryEntry entry = history.find(given[1]);
    if (json)
      fmt::print("{}", readable_json(json_of(entry)));
    else
      print_entry(entry, root);
  } else if (json) {
    auto all = nlohmann::ordered_json::array();
    for (const auto& entry : history.list()) all.push_back(json_of(entry));
    fmt::print("{}", readable_json(all));
  } else {
    print_list(history.list());
  }
  return done;
}

}  // namespace semblance::cli
