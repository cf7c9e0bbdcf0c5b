// SPDX-License-Identifier: MIT
#include "cli/runs/run_history.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "history/history.hpp"
#include "registry/figures.hpp"
#include "report/figure_line.hpp"
#include "support/file_lock.hpp"
#include "support/utc_time.hpp"

namespace semblance::cli {

namespace fs = std::filesystem;

RunHistory::RunHistory(std::string kind, const std::string& name, std::uint64_t seed,
                       const RunOptions& options, bool out_was_given)
    : kind_(std::move(kind)),
      out_(fs::absolute(options.out / "").lexically_normal().parent_path()),
      out_was_given_(out_was_given) {
  started_.pipeline = name;
  started_.seed = seed;
  started_.command = options.command;
  started_.started = utc_now();
  started_.version = SEMBLANCE_VERSION;
}

void RunHistory::failed() {
  RunRecord record = started_;
  record.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  remember(record, "failed", {});
}

void RunHistory::remember(const RunRecord& record, const std::string& status,
                          const HeadlineMetrics& metrics) noexcept {
  try {
    const fs::path root = out_.parent_path();
    if (!fs::is_directory(out_)) return;
    if (out_was_given_ && !fs::exists(History::file_in(root))) return;
    if (const std::string problem = record_lock_problem(root); !problem.empty())
      throw Error("files in '" + root.string() + "' cannot be locked (" + problem +
                  "), as a history needs it");
    HistoryEntry entry;
    entry.kind = kind_;
    entry.name = record.pipeline;
    entry.folder = out_.filename().string();
    entry.started = record.started;
    entry.wall_seconds = record.wall_seconds;
    entry.seed = record.seed;
    entry.status = status;
    entry.version = record.version;
    entry.metrics = metrics.values;
    entry.units = metrics.units;
    entry.command = record.command;
    History(root, History::Open::or_create).add(entry);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "warning: this {} was not recorded in the history: {}\n", kind_,
               problem.what());
  }
}

HeadlineMetrics headline_metrics(const RunRecord& record) {
  HeadlineMetrics metrics;
  for (const NodeRecord& node : record.nodes) {
    if (node.kind() != "evaluator") continue;
    auto names = headline_figures(node);
    std::ranges::stable_partition(
        names, [&](const auto& name) { return node.figure(name).better == Better::lower; });
    for (const std::string& figure : names) {
      metrics.values[node.name][figure] = node.metrics[figure];
      metrics.units[node.name][figure] = name(node.figure(figure).unit);
    }
  }
  if (metrics.values.empty() && record.selection) {
    const SelectionRecord& selection = *record.selection;
    const std::size_t dot = selection.metric.find('.');
    const std::string node = selection.metric.substr(0, dot);
    const std::string figure = selection.metric.substr(dot + 1);
    metrics.values[node][figure] = selection.trials[selection.chosen].figure();
    metrics.units[node][figure] = name(selection.unit);
  }
  return metrics;
}

HeadlineMetrics headline_metrics(const ResultTable& table, const Comparison& comparison) {
  HeadlineMetrics metrics;
  for (std::size_t i = 0; i < table.methods.size(); ++i) {
    if (!comparison.standings[i].best) continue;
    metrics.values[table.methods[i].name][table.metric] = comparison.standings[i].mean;
    metrics.units[table.methods[i].name][table.metric] = name(table.unit);
  }
  return metrics;
}

}  // namespace semblance::cli
