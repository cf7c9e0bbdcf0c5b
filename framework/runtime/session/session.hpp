// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/graph/compilation.hpp"
#include "runtime/ranks/rank_watch.hpp"
#include "runtime/ranks/ranks.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/services/run_journal.hpp"
#include "runtime/services/run_options.hpp"
#include "runtime/session/node_run.hpp"
#include "runtime/session/plan.hpp"
#include "runtime/sources/open_data.hpp"
#include "runtime/sources/slow_data.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/input_files.hpp"
#include "runtime/store/row_memory.hpp"

namespace semblance {

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

/// One run: the compiled pipeline, the state of each node, and the services that nodes use.
class Session {
 public:
  /// Compiles. With `known`, the shapes of a model that is applied to new data.
  Session(const Pipeline& pipeline, const Catalogue& catalogue, const RunOptions& options,
          RunPurpose purpose = {}, const KnownShapes* known = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Makes the plan (verifying what is in the store), refuses what cannot fit, and lists the nodes
  /// for the display.
  void prepare();

  /// Prepares for predict(): nothing is learned, retained or stored. `model` is its checksum;
  /// throws Error where ranks apply different models, or one model to different data.
  void prepare_prediction(const std::string& model);

  /// Called when the run is over and what nodes have learned lives on: releases the data and all
  /// rows; from now on nothing stops the session, and it reports nothing.
  void keep_only_what_was_learned();

  /// Runs `body` on the run's threads.
  void execute(const std::function<void()>& body);

  /// @name The pipeline
  /// @{
  std::size_t size() const noexcept { return graph_.nodes.size(); }
  const Compilation& graph() const noexcept { return graph_; }
  const NodeFacts& facts(std::size_t i) const { return graph_.facts(i); }
  Node& node(std::size_t i) { return *graph_.nodes[i]; }
  const Node& node(std::size_t i) const { return *graph_.nodes[i]; }
  template <class Kind>
  Kind& node_as(std::size_t i) {
    return dynamic_cast<Kind&>(node(i));
  }
  template <class Kind>
  const Kind& node_as(std::size_t i) const {
    return dynamic_cast<const Kind&>(node(i));
  }
  const Plan& plan() const noexcept { return plan_; }
  const NodePlan& plan(std::size_t i) const { return plan_.nodes[i]; }
  NodeRun& run(std::size_t i) { return *runs_[i]; }
  const NodeRun& run(std::size_t i) const { return *runs_[i]; }
  /// @}

  /// @name Services
  /// @{
  const RunOptions& options() const noexcept { return options_; }
  const RunPurpose& purpose() const noexcept { return purpose_; }
  const Catalogue& catalogue() const noexcept { return catalogue_; }
  RunServices& services() noexcept { return services_; }
  const RunServices& services() const noexcept { return services_; }
  RowMemory& memory() noexcept { return memory_; }
  const RowMemory& memory() const noexcept { return memory_; }
  RunJournal& journal() noexcept { return journal_; }
  const RunJournal& journal() const noexcept { return journal_; }
  /// nullptr: nothing is stored.
  ArtifactStore* store() noexcept { return store_.get(); }
  const ArtifactStore* store() const noexcept { return store_.get(); }
  /// Allows artifacts that the plan found in the store to be removed from now on.
  void release_store() { store_hold_.reset(); }
  /// With several ranks: once all know of the stop.
  bool stopping() const;
  /// The source of the stop request.
  std::string stopper() const;

  /// The processes that make this run together.
  Ranks& ranks() noexcept { return ranks_; }
  const Ranks& ranks() const noexcept { return ranks_; }
  /// From now on, and until no rank waits for another any more, this rank reports when another one
  /// is gone. Collective.
  void watch_ranks();
  void stop_watching_ranks() { watch_.reset(); }
  /// Records that node i learns now; nothing: no node does.
  void learning(std::optional<std::size_t> i) noexcept { learns_ = i ? *i + 1 : 0; }
  /// Whether all ranks see the first rank's store, and so can store rows together.
  bool ranks_share_store() const noexcept { return ranks_share_store_; }
  /// The rows of this process among the rows `span` of node i's data set, counted from the first
  /// row of the span. Nothing: all of them.
  std::optional<std::vector<RowSpan>> own_rows(std::size_t i, RowSpan span) const;
  /// Sets the node that learns on all ranks now, if any: its context has the collectives.
  void set_learning_together(std::optional<std::size_t> i) noexcept { learning_together_ = i; }

  /// The context of node i's component.
  NodeContext context(std::size_t i);
  /// Runs `body`; an exception gains node, component, position and phase.
  void guard(std::size_t i, const std::string& phase, const std::function<void()>& body) const;
  /// @}

  /// @name Data
  /// @{

  /// The data set of the source that node i's rows come from; opened on first use.
  const Dataset& dataset(std::size_t i);
  std::span<const std::int32_t> training_labels(std::size_t i);
  /// The weights of the same samples; empty: 1 each.
  std::span<const double> training_weights(std::size_t i);
  /// The groups of a node's training samples; empty: none.
  std::span<const std::int32_t> training_groups(std::size_t i);
  /// TrainingSet::row_numbers of node i's training samples.
  std::span<const std::int64_t> row_numbers(std::size_t i);
  /// The numbers of all its samples.
  std::span<const std::int64_t> all_row_numbers(std::size_t i);
  /// The facts about that source.
  OpenData::Opened& opened(std::size_t i) { return data_->of(facts(node(i).facts().spec->origin)); }
  const OpenData::Opened& opened(std::size_t i) const {
    return std::as_const(*data_).of(facts(node(i).facts().spec->origin));
  }
  /// Whether its constant columns have been reported; from now on they count as reported.
  /// Thread-safe.
  bool columns_told(std::size_t i);
  /// Throws Error where a file that was read for node i has changed: results must not be stored
  /// under a key made from its former content. Thread-safe.
  void check_files(std::size_t i);
  /// Closes the data sets that nothing needs any more.
  void close_finished_data();
  /// Whether the data that node i's rows come from may be open now: they are open, or there is room
  /// for them besides the open ones.
  bool may_open_data(std::size_t i) const;
  /// The same, and counts the data as open from now on; with `beyond`, in any case.
  bool admit_data(std::size_t i, bool beyond = false);
  /// Closes all data sets; they open again on next use.
  void close_all_data();
  /// With `least`, the run takes only the memory that it needs at least throughout, and retained
  /// rows leave memory; otherwise it returns to what the plan has allotted.
  void take_least_memory(bool least);
  /// @}

  /// @name The state of a node
  /// @{

  /// Records that something of node i is computed.
  void started(std::size_t i);
  /// Records that node i has learned, or has nothing to learn.
  void ready(std::size_t i) { run(i).life = Life::ready; }
  void finished(std::size_t i);
  /// Records that evaluator i has nothing to do, since a cross-validation has done it.
  void judged_before(std::size_t i);
  /// Makes a new plan: `stored` says what is in the store by now.
  void renew_plan(const std::function<bool(const std::string& key)>& stored);
  /// Whether something of node i, its state or its rows, remains to be computed by this or another
  /// process.
  bool unfinished(std::size_t i) const;
  /// Records that node i failed: all nodes that follow fail with it. Only with `on_failure`.
  void fail(std::size_t i, const std::string& message);
  /// @}

 private:
  void open_store();
  void describe_nodes();
  /// The nodes that are known to fail, and all nodes that follow them.
  std::vector<char> known_failing() const;
  /// Throws Error where the ranks compute different things; `model` is the model that they apply,
  /// if any.
  void check_same_run(const std::string& model);
  /// Refuses evaluators without test samples before anything is computed, or settles them.
  void settle_idle_evaluators();

  RunOptions options_;
  const RunPurpose purpose_;
  const Catalogue& catalogue_;
  const bool predicting_;
  const Pipeline pipeline_;  ///< including what calibrators learn from
  StopSwitch stop_;
  Ranks ranks_;
  std::optional<std::size_t> learning_together_;
  bool ranks_share_store_ = false;
  std::atomic<std::size_t> learns_ = 0;  ///< one more than the node that learns now
  std::unique_ptr<tbb::task_arena> arena_;
  RunJournal journal_;
  RowMemory memory_;
  RunServices services_;
  InputFiles files_;
  Compilation graph_;
  std::unique_ptr<OpenData> data_;
  std::mutex open_mutex_;
  std::unique_ptr<ArtifactStore> store_;
  std::unique_ptr<ArtifactStore::Hold>
      store_hold_;  ///< until what the plan found in the store is open
  std::unique_ptr<SlowData> slow_data_;
  Plan plan_;
  Plan allotted_;                                  ///< without nodes: the memory that was allotted
  std::map<std::size_t, std::size_t> data_bytes_;  ///< of data that may be open, by first source
  std::vector<std::unique_ptr<NodeRun>> runs_;
  std::unique_ptr<RankWatch> watch_;  ///< watches the members above
};

}  // namespace semblance
