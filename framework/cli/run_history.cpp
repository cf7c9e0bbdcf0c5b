// SPDX-License-Identifier: MIT
#include "cli/run_history.hpp"

#include <fmt/format.h>

#include "history/history.hpp"
#include "report/utc_time.hpp"

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
  remember(record, "failed", nlohmann::ordered_json::object());
}

void RunHistory::remember(const RunRecord& record, const std::string& status,
                          nlohmann::ordered_json metrics) noexcept {
  try {
    const fs::path root = out_.parent_path();
    if (!fs::is_directory(out_)) return;
    if (out_was_given_ && !fs::exists(History::file_in(root))) return;
    HistoryEntry entry;
    entry.kind = kind_;
    entry.name = record.pipeline;
    entry.folder = out_.filename().string();
    entry.started = record.started;
    entry.wall_seconds = record.wall_seconds;
    entry.seed = record.seed;
    entry.status = status;
    entry.version = record.version;
    entry.metrics = std::move(metrics);
    entry.command = record.command;
    History(root, History::Open::or_create).add(entry);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "warning: this {} is not in the history: {}\n", kind_, problem.what());
  }
}

nlohmann::ordered_json headline_metrics(const RunRecord& record) {
  auto metrics = nlohmann::ordered_json::object();
  for (const NodeRecord& node : record.nodes) {
    if (!node.component.starts_with("evaluator/")) continue;
    for (const char* figure : {"accuracy", "error_rate", "eer"})
      if (node.metrics.contains(figure)) metrics[node.name][figure] = node.metrics[figure];
  }
  if (metrics.empty() && record.selection) {
    const SelectionRecord& selection = *record.selection;
    const std::size_t dot = selection.metric.find('.');
    metrics[selection.metric.substr(0, dot)][selection.metric.substr(dot + 1)] =
        selection.trials[selection.chosen].mean;
  }
  return metrics;
}

nlohmann::ordered_json headline_metrics(const ResultTable& table, const Comparison& comparison) {
  auto metrics = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < table.methods.size(); ++i)
    if (comparison.standings[i].best)
      metrics[table.methods[i].name][table.metric] = comparison.standings[i].mean;
  return metrics;
}

}  // namespace semblance::cli
