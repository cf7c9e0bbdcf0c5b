// SPDX-License-Identifier: MIT
#include "cli/runs/compared_table.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "cli/verb.hpp"
#include "registry/figures.hpp"
#include "report/tables/result_table_json.hpp"

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

}  // namespace

ResultTable compared_table(const std::vector<fs::path>& folders, const std::string& metric,
                           Better better) {
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
      merge_twins(study.table, folder);
      const bool other =
          !wanted.figure.empty() &&
          (study.table.metric != wanted.figure ||
           (!wanted.node.empty() && !study.table.node.empty() && study.table.node != wanted.node));
      if (other)
        study.table = table_of_study(study.table, folder, wanted);
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
    sources.push_back({"runs", table_of_runs(runs, wanted)});
  }
  for (const TableSource& source : sources) require_the_same(sources.front(), source);
  return joined(std::move(sources));
}

}  // namespace semblance::cli
