// SPDX-License-Identifier: MIT
#include "history/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <span>

#include "cli/past_runs/entry_json.hpp"
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

enum class HistoryAction { list, show, tag, untag, note, rm, exports };

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

/// " [baseline, paper]", or nothing.
std::string tags_text(const HistoryEntry& entry) {
  return entry.tags.empty() ? "" : fmt::format("  [{}]", fmt::join(entry.tags, ", "));
}

void print_list(const std::vector<HistoryEntry>& entries) {
  for (const auto& entry : entries)
    fmt::print("{}  {}  {:7}  {:>12}  {}  {}{}\n", entry.id, entry.started, entry.status,
               seconds_text(entry.wall_seconds), entry.folder, results_of(entry), tags_text(entry));
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
  for (const auto& entry : entries) all.push_back(cli::json_of(entry));
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
  for (const auto& [node, figures] : entry.metrics.items())
    for (const auto& [figure, value] : figures.items())
      line("result", fmt::format("{}.{} {}", node, figure, value.dump()));
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

/// The number of words after the action, and what they are.
void check_arguments(HistoryAction action, const std::vector<std::string>& given) {
  const std::string word = "history " + given.front();
  const bool takes_all = action == HistoryAction::list || action == HistoryAction::exports;
  if (takes_all) {
    if (given.size() != 1) throw UsageError(word + " takes no ID");
    return;
  }
  const bool tags = action == HistoryAction::tag || action == HistoryAction::untag;
  const std::string more = tags ? " TAG..." : action == HistoryAction::note ? " TEXT" : "";
  if (given.size() < 2) throw UsageError("an ID is missing: semblance " + word + " ID" + more);
  if (!more.empty() && given.size() < 3)
    throw UsageError((tags ? "a tag is missing: semblance " : "a text is missing: semblance ") +
                     word + " ID" + more);
  if (more.empty() && given.size() > 2) throw UsageError(word + " takes one ID");
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
      "Runs are recorded in ROOT/history.sqlite, where ROOT is the folder that contains their own\n"
      "folder: runs/ without --out; with --out, only if that file already exists.\n\n"
      "options",
      100);
  described.add_options()("root",
                          options::value<std::string>()->value_name("DIR")->default_value("runs"),
                          "the folder with the runs and their history")(
      "tag", options::value<std::string>()->value_name("TAG"),
      "with list: runs with this tag only")("files", "with rm: also delete the run's folder")(
      "json", "with list and show: as JSON")(
      "csv", options::value<std::string>()->value_name("FILE"),
      "with export: a table with one line per run; - writes to the standard output")(
      "jsonl", options::value<std::string>()->value_name("FILE"),
      "with export: one JSON object per line and run; - writes to the standard output")(
      "mlflow", options::value<std::string>()->value_name("FOLDER"),
      "with export: add the runs to a folder of runs that MLflow reads");
  options::positional_options_description places;
  places.add("argument", -1);
  const auto values = parse(verb, arguments, described, places);
  if (!values) return done;
  std::vector<std::string> given;
  if (values->count("argument")) given = (*values)["argument"].as<std::vector<std::string>>();
  const std::string word = given.empty() ? "" : given.front();
  const auto action = choice_named<HistoryAction>(word, {{"list", HistoryAction::list},
                                                         {"show", HistoryAction::show},
                                                         {"tag", HistoryAction::tag},
                                                         {"untag", HistoryAction::untag},
                                                         {"note", HistoryAction::note},
                                                         {"rm", HistoryAction::rm},
                                                         {"export", HistoryAction::exports}});
  if (!action)
    throw UsageError(
        "history takes list, show ID, tag ID TAG, untag ID TAG, note ID TEXT, rm ID or export" +
        (given.empty() ? "" : "; got '" + word + "'"));
  check_arguments(*action, given);
  if (values->count("files") && action != HistoryAction::rm)
    throw UsageError("--files is for history rm only");
  if (values->count("tag") && action != HistoryAction::list)
    throw UsageError("--tag is for history list only");
  for (const char* option : {"csv", "jsonl", "mlflow"})
    if (values->count(option) && action != HistoryAction::exports)
      throw UsageError(std::string("--") + option + " is for history export only");
  const std::filesystem::path root = (*values)["root"].as<std::string>();
  History history(root, History::Open::existing);
  const bool json = values->count("json") > 0;
  if (action == HistoryAction::exports) {
    export_runs(history, root, *values);
  } else if (action == HistoryAction::tag || action == HistoryAction::untag) {
    change_tags(history, given[1], std::span(given).subspan(2), action == HistoryAction::tag);
  } else if (action == HistoryAction::note) {
    write_note(history, given[1], std::span(given).subspan(2));
  } else if (action == HistoryAction::rm) {
    remove(history, given[1], root, values->count("files") > 0);
  } else if (action == HistoryAction::show) {
    const HistoryEntry entry = history.find(given[1]);
    if (json)
      fmt::print("{}", readable_json(json_of(entry)));
    else
      print_entry(entry, root);
  } else {
    list_runs(history, option_text(*values, "tag"), json);
  }
  return done;
}

}  // namespace semblance::cli
