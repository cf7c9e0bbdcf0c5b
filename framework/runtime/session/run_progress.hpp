// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/run_record.hpp"
#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/ranks.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_journal.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/session/plan.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/kept_rows.hpp"

namespace semblance {

/// How far a node has come.
enum class Life {
  waiting,   ///< it has not learned yet
  ready,     ///< it has learned, or there is nothing to learn
  finished,  ///< no pending work looks at it
  failed     ///< it or a node before it failed; nothing more is done for it
};

/// The state of a node's retained rows.
enum class RowsLife {
  pending,  ///< not yet requested, or being written
  there,    ///< all of them
  released  ///< no pending work looks at them any more
};

/// The memory situation in which a node is tried that may run short of memory.
enum class Beside {
  others,   ///< anything else
  nothing,  ///< it failed, and waits until nothing else can be done
  tried     ///< nothing else could be done: its result now is final
};

/// Rows by their positions, noted on any thread.
class NotedRows {
 public:
  void add(std::size_t row) {
    const std::lock_guard lock(mutex_);
    rows_.insert(row);
  }
  /// The rows since the last call.
  std::set<std::size_t> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(rows_, {});
  }

 private:
  std::mutex mutex_;
  std::set<std::size_t> rows_;
};

/// The state of a node during a run.
struct NodeRun {
  Life life = Life::waiting;
  bool computed = false;  ///< some of it in this run, so that it is not just from the store
  RowsLife rows_life = RowsLife::pending;
  Beside beside = Beside::others;
  std::shared_ptr<KeptRows> rows;               ///< retained rows, while needed
  std::shared_ptr<const Rows> gathered;         ///< all training rows, while the first rank learns
  std::atomic<RowOffsets> offsets;              ///< of all rows, once requested
  std::unique_ptr<ArtifactStore::Draft> draft;  ///< the artifact that `rows` are written into
  NodeRecord record;
  NotedRows unknown_rows;  ///< see NotesUnknownRows
  std::string learned_on;  ///< the kind of processor; empty: this one's
  std::atomic<std::int64_t> busy_nanoseconds = 0;
  std::atomic<std::size_t> rows_streamed = 0;
  std::atomic<std::int64_t> predict_nanoseconds = 0;  ///< of a solver: time spent scoring rows
  std::atomic<std::size_t> rows_predicted = 0;

  bool ready() const noexcept { return life == Life::ready || life == Life::finished; }
  bool failed() const noexcept { return life == Life::failed; }
  bool has_rows() const noexcept { return rows_life == RowsLife::there; }
  bool rows_pending() const noexcept { return rows_life == RowsLife::pending; }
};

/// The purpose of a run.
struct RunPurpose {
  /// A cross-validation has evaluated the pipeline before: then evaluators without test samples
  /// have nothing to do, which is an error otherwise.
  bool cross_validated = false;
  /// The same, where the program itself evaluates what it has trained.
  bool judged_elsewhere = false;
  /// The states of finished nodes are needed at the end, for the model.
  bool keeps_states = true;
  /// If set, a node that fails does not end the run: this is called for each, and the run
  /// continues.
  std::function<void(std::size_t node, const std::string& message)> on_failure = {};
  /// Nodes that are known to fail, by key, and their messages: they are not tried again. Only with
  /// `on_failure`.
  std::map<std::string, std::string> failures = {};
  /// Other workers fill the same store during this run (workers/shared_run.hpp): the plan only
  /// looks artifacts up, and each is verified when something needs it.
  bool shares_work = false;
  /// Only makes a plan, of a run with this many ranks, which do not exist: the plan of the rank
  /// with most of the rows. 0: the plan of this process.
  std::size_t planned_ranks = 0;

  /// Whether evaluators without test samples have nothing to do.
  bool settles_idle_evaluators() const noexcept { return cross_validated || judged_elsewhere; }
};

/// How far a run has come: the plan, and the state of each node of the compiled graph. It reports
/// what begins and ends to the journal.
class RunProgress {
 public:
  /// All arguments must outlive the object.
  RunProgress(const Compilation& graph, const RunOptions& options, const RunPurpose& purpose,
              RunServices& services, RunJournal& journal, Ranks& ranks);
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// @name The graph, the plan and the nodes' states
  /// @{
  const Compilation& graph() const noexcept { return graph_; }
  std::size_t size() const noexcept { return graph_.size(); }
  const NodeFacts& facts(std::size_t i) const { return graph_.facts(i); }
  Node& node(std::size_t i) const { return graph_.node(i); }
  Plan& plan() noexcept { return plan_; }
  const Plan& plan() const noexcept { return plan_; }
  const NodePlan& plan(std::size_t i) const { return plan_.nodes[i]; }
  NodeRun& run(std::size_t i) { return *runs_[i]; }
  const NodeRun& run(std::size_t i) const { return *runs_[i]; }
  /// @}

  const RunOptions& options() const noexcept { return options_; }
  const RunPurpose& purpose() const noexcept { return purpose_; }
  RunServices& services() const noexcept { return services_; }
  RunJournal& journal() const noexcept { return journal_; }
  /// The processes that make this run together.
  Ranks& ranks() const noexcept { return ranks_; }

  /// With several ranks: once all know of the stop.
  bool stopping() const;
  /// The rows of this process among the rows `span` of node i's data set, counted from the first
  /// row of the span. Nothing: all of them.
  std::optional<std::vector<RowSpan>> own_rows(std::size_t i, RowSpan span) const;
  /// The context of node i's component.
  NodeContext context(std::size_t i);

  /// @name What happens in the run
  /// @{

  /// Records that something of node i is computed.
  void started(std::size_t i);
  /// Records that node i learns now; nothing: no node does.
  void learning(std::optional<std::size_t> i) noexcept { learns_ = i ? *i + 1 : 0; }
  /// The node that learns now. Thread-safe.
  std::optional<std::size_t> learning() const noexcept;
  /// Sets the node that learns on all ranks now, if any: its context has the collectives.
  void set_learning_together(std::optional<std::size_t> i) noexcept { learning_together_ = i; }
  /// Records that node i has learned, or has nothing to learn.
  void ready(std::size_t i) { run(i).life = Life::ready; }
  void finished(std::size_t i);
  /// Records that evaluator i has nothing to do, since a cross-validation has done it.
  void judged_before(std::size_t i);
  /// Records that node i failed: all nodes that follow fail with it. Only with `on_failure`.
  void fail(std::size_t i, const std::string& message);
  /// Makes a new plan: `stored` says what is in the store by now.
  void renew_plan(const std::function<bool(const std::string& key)>& stored);
  /// Whether something of node i, its state or its rows, remains to be computed by this or another
  /// process.
  bool unfinished(std::size_t i) const;
  /// @}

 private:
  const Compilation& graph_;
  const RunOptions& options_;
  const RunPurpose& purpose_;
  RunServices& services_;
  RunJournal& journal_;
  Ranks& ranks_;
  Plan plan_;
  std::vector<std::unique_ptr<NodeRun>> runs_;
  std::optional<std::size_t> learning_together_;
  std::atomic<std::size_t> learns_ = 0;  ///< one more than the node that learns now
};

}  // namespace semblance
