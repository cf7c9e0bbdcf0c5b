// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/pipeline.hpp"
#include "report/progress.hpp"
#include "report/run_record.hpp"
#include "report/trace.hpp"
#include "runtime/services/run_log.hpp"
#include "runtime/services/run_options.hpp"

namespace semblance {

/// What a run tells, and to whom: the log and its warnings, the display, the trace, and the record
/// that becomes metrics.json and the report.
class RunJournal {
 public:
  /// Throws Error where the log cannot be opened.
  RunJournal(const Pipeline& pipeline, const RunOptions& options);

  /// A warning is said once. Thread-safe.
  void log(LogLevel level, const std::string& line);

  /// Shows these nodes from now on; until then, and without a display, nodes are not shown.
  void open_display(const std::vector<std::string>& nodes);
  void close_display();
  /// The run is over: nobody is told of anything any more. Warnings are kept for who asks.
  void fall_silent();
  /// Warnings since the run was over, each once, and not twice to those who ask again; at most a
  /// hundred in all. Thread-safe.
  std::vector<std::string> later_warnings();
  void node_started(const std::string& node);
  void node_progress(const std::string& node, double done, double total);
  void node_finished(const NodeRecord& node);
  /// A node that had nothing to do, and why.
  void node_settled(const std::string& node, const std::string& why);

  /// Seconds since the run began.
  double elapsed() const;

  /// When and with what this run measures.
  Measured measured_now() const;

  /// Takes note that something of a node comes from the store, made under these conditions. Throws
  /// Error where that was on another kind of processor, and the run refuses that.
  void taken_from_store(const std::string& node, const Measured& made);

  /// Warns where what came from the store, for some of `nodes` nodes, was made on another kind of
  /// processor.
  void tell_processors(std::size_t nodes);

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
  std::mutex warnings_mutex_;
  std::vector<std::string> later_;  ///< after the run was over
  std::size_t later_told_ = 0;      ///< so many of these have been asked for
  /// Of nodes that come from the store: the other kinds of processors that they were made on.
  std::vector<std::pair<std::string, std::string>> other_processors_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  RunLog log_;
};

}  // namespace semblance
