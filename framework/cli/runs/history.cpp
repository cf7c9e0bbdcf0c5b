// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "cli/past_runs/past_run.hpp"
#include "cli/verb.hpp"
#include "report/metrics.hpp"
#include "support/figure_text.hpp"
#include "support/files/atomic_file.hpp"
#include "support/number_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {
namespace {

/// The first figure of each node: "test: error_rate 3.10%; other: eer 1.00%"
std::string results_of(const HistoryEntry& entry) {
  std::string text, node;
  for (const ReportedFigure& figure : figures_of(entry)) {
    if (figure.node == std::exchange(node, figure.node)) continue;
    text += fmt::format("{}{}: {} {}", text.empty() ? "" : "; ", figure.node, figure.figure,
                        figure_text(figure.unit, figure.value));
  }
  return text;
}

/// The name, where the folder does not begin with it: "suggest: iris.csv".
std::string name_text(const HistoryEntry& entry) {
  const std::string folder = std::filesystem::path(entry.folder).filename().string();
  return folder.starts_with(entry.name) ? "" : entry.name + "  ";
}

/// " [baseline, paper]", or nothing.
std::string tags_text(const HistoryEntry& entry) {
  return entry.tags.empty() ? "" : fmt::format("  [{}]", fmt::join(entry.tags, ", "));
}

void print_list(const std::vector<HistoryEntry>& entries) {
  for (const auto& entry : entries)
    fmt::print("{}  {}  {:7}  {:>12}  {}  {}{}{}\n", entry.id, entry.started, entry.status,
               entry.wall_seconds > 0 ? seconds_text(entry.wall_seconds) : "", entry.folder,
               name_text(entry), results_of(entry), tags_text(entry));
}

void list_runs(const History& history, const std::string& tag, bool json) {
  std::vector<HistoryEntry> entries = history.list();
  if (!tag.empty())
    std::erase_if(entries, [&](const HistoryEntry& entry) {
      return std::ranges::find(entry.tags, tag) == entry.tags.end();
    });
  if (!json && entries.empty())
    return fmt::print("{}\n",
                      tag.empty() ? "no runs recorded" : "no run has the tag '" + tag + "'");
  if (!json) return print_list(entries);
  auto all = nlohmann::ordered_json::array();
  for (const auto& entry : entries) all.push_back(entry_json(entry));
  fmt::print("{}", readable_json(all));
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
  for (const ReportedFigure& figure : figures_of(entry))
    line("result", fmt::format("{}.{} {}", figure.node, figure.figure, figure.value));
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

/// Adds the tags to those of a run, or removes them from these.
void change_tags(History& history, const std::string& id, std::span<const std::string> tags,
                 bool add) {
  const HistoryEntry entry = history.find(id);
  std::vector<std::string> now = entry.tags;
  for (const std::string& tag : tags) {
    const auto place = std::ranges::find(now, tag);
    if (add && place == now.end()) now.push_back(tag);
    if (add) continue;
    if (place == now.end())
      throw Error(fmt::format("the run {} has no tag '{}'{}", entry.id, tag,
                              now.empty() ? "" : fmt::format("; it has {}", fmt::join(now, ", "))));
    now.erase(place);
  }
  history.annotate(entry.id, now, entry.note);
  fmt::print("tags of {} ({}): {}\n", entry.id, entry.folder,
             now.empty() ? "none" : fmt::format("{}", fmt::join(now, ", ")));
}

void write_note(History& history, const std::string& id, std::span<const std::string> words) {
  const HistoryEntry entry = history.find(id);
  const std::string note = fmt::format("{}", fmt::join(words, " "));
  history.annotate(entry.id, entry.tags, note);
  fmt::print("{} {} ({})\n", note.empty() ? "removed the note of" : "noted:", entry.id,
             entry.folder);
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
    const std::filesystem::path folder = root / entry.folder;
    const PastRun& run = runs.emplace_back(past_run(std::move(entry), folder));
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
      "list             list all runs, oldest first\n"
      "show ID          show everything about one; the beginning of an ID is enough\n"
      "tag ID TAG...    add tags to one, as the board does\n"
      "untag ID TAG...  remove tags\n"
      "note ID TEXT     replace its note; '' removes it\n"
      "rm ID            remove one from the history\n"
      "export           write all runs, with their parameters and figures, for other programs\n\n"
      "Every run is recorded in ROOT/.history, where ROOT is the folder that contains its own\n"
      "folder or, with --out, runs/ where it began, unless ROOT has a history.\n\n"
      "options",
      100);
  described.add_options()("root", takes("DIR")->default_value("runs"),
                          "the folder with the runs and their history")(
      "tag", takes("TAG"), "with list: runs with this tag only")(
      "files", "with rm: also delete the run's folder")("json", "with list and show: as JSON")(
      "csv", takes("FILE"),
      "with export: a table with one line per run; - writes to the standard output")(
      "jsonl", takes("FILE"),
      "with export: one JSON object per line and run; - writes to the standard output")(
      "mlflow", takes("FOLDER"), "with export: add the runs to a folder of runs that MLflow reads");
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  const std::string action = action_of(verb,
                                       {{"list", {}, {"tag", "json"}},
                                        {"show", {"ID"}, {"json"}},
                                        {"tag", {"ID", "TAG..."}},
                                        {"untag", {"ID", "TAG..."}},
                                        {"note", {"ID", "TEXT..."}},
                                        {"rm", {"ID"}, {"files"}},
                                        {"export", {}, {"csv", "jsonl", "mlflow"}}},
                                       *values)
                                 .name;
  const Texts given = option_texts(*values, "argument");
  const std::filesystem::path root = option_text(*values, "root");
  History history(root, History::Open::existing);
  const bool json = values->count("json") > 0;
  if (action == "export") {
    export_runs(history, root, *values);
  } else if (action == "list") {
    list_runs(history, option_text(*values, "tag"), json);
  } else if (action == "rm") {
    remove(history, given[1], root, values->count("files") > 0);
  } else if (action == "note") {
    write_note(history, given[1], std::span(given).subspan(2));
  } else if (action == "show") {
    const HistoryEntry entry = history.find(given[1]);
    if (json)
      fmt::print("{}", readable_json(entry_json(entry)));
    else
      print_entry(entry, root);
  } else {
    change_tags(history, given[1], std::span(given).subspan(2), action == "tag");
  }
  return done;
}

}  // namespace semblance::cli
