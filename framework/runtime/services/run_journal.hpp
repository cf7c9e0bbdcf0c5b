// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "report/progress.hpp"
#include "report/run_record.hpp"
#include "report/trace.hpp"
#include "runtime/services/progress_file.hpp"
#include "runtime/services/run_log.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

/// All output of a run: the log and its warnings, the display, the trace, and the record that
/// becomes metrics.json and the report.
class RunJournal {
 public:
  /// Throws Error where the log cannot be opened.
  RunJournal(const Pipeline& pipeline, const RunOptions& options);

  /// Logs a line; each warning appears once. Thread-safe.
  void log(LogLevel level, const std::string& line);

  /// Shows these nodes from now on. Before this call, or without a display, no nodes are shown.
  void open_display(const std::vector<std::string>& nodes);
  /// Of warnings from now on the terminal shows only how many there are of each kind that matters:
  /// those of inner folds, whose list nobody reads.
  void count_warnings(std::function<bool(const std::string&)> matters) {
    log_.count_warnings(std::move(matters));
  }
  /// Before open_display(): what the display calls some nodes instead of their names.
  void call_nodes(std::map<std::string, std::string> words) { words_ = std::move(words); }
  void close_display();
  /// What to show of finished nodes instead of their names, from then on: a line, or "" for a node
  /// that is no result. Called from any thread, one at a time.
  void show_results(std::function<std::string(const NodeRecord&)> of);
  /// Called when the run is over: nothing is logged any more. Later warnings are collected for
  /// later_warnings().
  void fall_silent();
  /// Warnings since the run was over. Each is returned once, by the first call after it; at most a
  /// hundred in all. Thread-safe.
  std::vector<std::string> later_warnings();
  void node_started(const std::string& node);
  void node_progress(const std::string& node, double done, double total);
  void node_finished(const NodeRecord& node);
  /// Records a node that had nothing to do, and why.
  void node_settled(const std::string& node, const std::string& why);

  /// Seconds since the run began.
  double elapsed() const;

  /// When and with what this run takes its measurements.
  Measured measured_now() const;

  /// Draws the pipeline, or the variants of one as one graph, for the report. A warning if that
  /// fails.
  void draw(std::span<const Pipeline* const> variants);

  /// Records that something of a node comes from the store, made under these conditions. Throws
  /// Error where it was made on another kind of processor and the run refuses that.
  void taken_from_store(const std::string& node, const Measured& made);

  /// Warns where results from the store, for some of `nodes` nodes, were made on another kind of
  /// processor.
  void report_processors(std::size_t nodes);

  Trace& trace() noexcept { return trace_; }
  RunRecord& record() noexcept { return record_; }
  const RunRecord& record() const noexcept { return record_; }

 private:
  void show(const std::string& line) const;

  const bool quiet_;
  const bool same_processor_;
  std::function<void(const std::string&, double, double)> on_progress_;
  std::function<void(LogLevel, const std::string&)> on_log_;
  bool silent_ = false;
  Trace trace_;
  RunRecord record_;
  std::unique_ptr<Progress> display_;
  std::map<std::string, std::string> words_;
  const std::filesystem::path out_;
  std::unique_ptr<ProgressFile> followed_;  ///< while the run goes on, if it has a folder
  std::mutex results_mutex_;
  std::function<std::string(const NodeRecord&)> result_of_;
  std::mutex warnings_mutex_;
  std::vector<std::string> later_;  ///< after the run was over
  std::size_t later_told_ = 0;      ///< how many of these have been returned
  /// For nodes that come from the store: the other kinds of processors that they were made on.
  std::vector<std::pair<std::string, std::string>> other_processors_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  RunLog log_;
};

}  // namespace semblance
