// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/compared_runs.hpp"
#include "cli/compared_study.hpp"
#include "cli/finished_run.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "report/tables/comparison.hpp"
#include "report/tables/result_table_json.hpp"
#include "report/tables/table_text.hpp"
#include "support/terminal.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

struct TableSource {
  std::string name;
  ResultTable table;
};

std::string described(const std::vector<std::string>& blocks) {
  if (blocks == std::vector<std::string>{""}) return "one result per method";
  std::string text;
  for (const auto& name : blocks) text += (text.empty() ? "the blocks '" : ", '") + name + "'";
  return text;
}

void require_the_same(const TableSource& first, const TableSource& other) {
  if (first.table.metric != other.table.metric ||
      first.table.higher_is_better != other.table.higher_is_better)
    throw Error(fmt::format("'{}' has the metric '{}' but '{}' has '{}': they cannot be compared",
                            first.name, first.table.metric, other.name, other.table.metric));
  if (first.table.blocks != other.table.blocks)
    throw Error(fmt::format(
        "'{}' has {} but '{}' has {}: only results on the same blocks can be compared; compare "
        "runs with runs, and studies with studies of the same repeats",
        first.name, described(first.table.blocks), other.name, described(other.table.blocks)));
}

/// All methods in one table; with several sources, methods are described by their names instead of
/// slots.
ResultTable joined(std::vector<TableSource> sources) {
  ResultTable all = std::move(sources.front().table);
  if (sources.size() == 1) return all;
  std::vector<Method> methods = std::move(all.methods);
  all.methods.clear();
  all.slots.clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (i > 0) methods = std::move(sources[i].table.methods);
    // A study of an older version does not record its unit.
    if (all.unit == FigureUnit::plain) all.unit = sources[i].table.unit;
    for (Method& method : methods) {
      method.name = sources[i].name + ": " + method.name;
      method.choices.clear();
      all.methods.push_back(std::move(method));
    }
  }
  return all;
}

/// NODE.FIGURE or FIGURE: the node may be empty.
ComparedFigure metric_named(const std::string& text, Better better) {
  const std::size_t dot = text.find('.');
  ComparedFigure metric{"", text, better};
  if (dot != std::string::npos) metric = {text.substr(0, dot), text.substr(dot + 1), better};
  if (!text.empty() && (metric.figure.empty() || dot == 0))
    throw UsageError("--metric takes FIGURE or NODE.FIGURE, such as test.error_rate, not '" + text +
                     "'");
  return metric;
}

/// One table of all folders: studies (with study.json), and runs (with metrics.json) with
/// one method per evaluator. `metric` is FIGURE or NODE.FIGURE, empty for a headline figure that
/// all report. Runs of the same pipeline with different seeds become the blocks of one method.
/// Throws Error if the folders cannot be read or compared, UsageError for an unknown metric.
ResultTable compared_table(const std::vector<fs::path>& folders, const std::string& metric,
                           Better better, const InstalledFigures& installed) {
  ComparedFigure wanted = metric_named(metric, better);
  std::vector<TableSource> sources;
  std::vector<FinishedRun> runs;
  std::set<fs::path> seen;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) throw Error("no folder '" + folder.string() + "'");
    if (!seen.insert(fs::canonical(folder)).second)
      throw UsageError("'" + folder.string() + "' is given twice");
    if (fs::exists(folder / "study.json")) {
      StudyTable study = read_study(folder / "study.json");
      const bool other =
          !wanted.figure.empty() &&
          (study.table.metric != wanted.figure ||
           (!wanted.node.empty() && !study.table.node.empty() && study.table.node != wanted.node));
      if (other)
        study.table = table_of_study(study.table, folder, wanted, installed);
      else if (better != Better::none && study.table.higher_is_better != (better == Better::higher))
        throw UsageError(fmt::format(
            "--better: in the study '{}' {} '{}' is better; omit --better", folder.string(),
            study.table.higher_is_better ? "a higher" : "a lower", study.table.metric));
      sources.push_back({study.study, std::move(study.table)});
    } else if (fs::exists(folder / "metrics.json")) {
      runs.emplace_back(folder);
    } else {
      throw Error("'" + folder.string() +
                  "' is neither the folder of a run (metrics.json) nor of a study (study.json)");
    }
  }
  // Two studies of one name are distinguished by their folders' order.
  std::map<std::string, int> names;
  for (TableSource& source : sources)
    if (const int n = ++names[source.name]; n > 1) source.name += fmt::format(" ({})", n);
  if (!runs.empty()) {
    if (wanted.figure.empty() && !sources.empty()) wanted.figure = sources.front().table.metric;
    sources.push_back({"runs", table_of_runs(runs, wanted, installed)});
  }
  for (const TableSource& source : sources) require_the_same(sources.front(), source);
  return joined(std::move(sources));
}

void choose_baseline(ResultTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.methods, name, &Method::name);
  if (found == table.methods.end()) {
    std::string known;
    for (const Method& method : table.methods) known += "\n  " + method.name;
    throw UsageError("--baseline: unknown method '" + name + "'; choose from:" + known);
  }
  table.baseline = static_cast<std::size_t>(found - table.methods.begin());
}

Better direction(const std::string& word) {
  if (word.empty()) return Better::none;
  if (const auto named = direction_named(word)) return *named;
  throw UsageError("--better takes lower or higher, not '" + word + "'");
}

/// Searches for plugins only when a figure is requested.
class Installed {
 public:
  explicit Installed(const options::variables_map& values) : values_(values) {}

  std::vector<FigureInfo> operator()(const std::string& component) {
    if (!found_) found_ = std::make_shared<const Discovery>(discover(values_));
    const auto* entry = found_->catalogue.find(component);
    return entry ? entry->info.figures : std::vector<FigureInfo>();
  }

 private:
  options::variables_map values_;
  std::shared_ptr<const Discovery> found_;
};

}  // namespace

int compare_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("compare");
  options::options_description described(
      "Each DIR is the folder of a run (each of its evaluators counts) or of a study. Runs of the\n"
      "same pipeline with different seeds are repeats of one method.\n\n"
      "options",
      100);
  described.add_options()(
      "metric", options::value<std::string>()->value_name("[NODE.]FIGURE"),
      "the figure to compare, such as test.error_rate or svm.train_seconds: any that was "
      "recorded (default: a study's metric, the headline figure of runs, preferring an error to "
      "an accuracy)")("better", options::value<std::string>()->value_name("lower|higher"),
                      "which of two values is better, if the figure's declaration does not say")(
      "plugin-path", options::value<std::vector<std::string>>()->value_name("PATH"),
      "where to search for the components of runs whose folders do not say what their figures "
      "mean; may be repeated")(
      "baseline", options::value<std::string>()->value_name("NAME"),
      "the method to test the others against (default: the study's, or the first run)")(
      "out", options::value<std::string>()->value_name("DIR"),
      "write table.csv, table.md and table.tex there (default: only print the table)");
  options::positional_options_description places;
  places.add("argument", -1);
  const auto values = parse(verb, arguments, described, places);
  if (!values) return done;
  if (!values->count("argument"))
    throw UsageError(std::string("a folder is missing; usage: semblance compare ") +
                     verb.arguments);
  std::vector<std::filesystem::path> folders;
  for (const auto& folder : (*values)["argument"].as<std::vector<std::string>>())
    folders.emplace_back(folder);
  ResultTable table = compared_table(folders, option_text(*values, "metric"),
                                     direction(option_text(*values, "better")), Installed(*values));
  if (values->count("baseline")) choose_baseline(table, option_text(*values, "baseline"));
  const Comparison comparison = compare(table);
  fmt::print("{}", table_plain(table, comparison, output_width()));
  if (values->count("out"))
    for (const auto& file : write_tables(table, comparison, option_text(*values, "out")))
      fmt::print("written: {}\n", file.string());
  return done;
}

}  // namespace semblance::cli
