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

/// What a run is for.
struct RunPurpose {
  /// A cross-validation has judged the pipeline before: then evaluators that are left without test
  /// rows have nothing to do, which is an error otherwise.
  bool cross_validated = false;
  /// The same where the program trains and judges by itself what it has trained.
  bool judged_elsewhere = false;
  /// The states of finished nodes are wanted at the end, for the model.
  bool keeps_states = true;
  /// With it, a node that fails does not end the run: told of each, the rest goes on.
  std::function<void(std::size_t node, const std::string& message)> on_failure = {};
  /// Nodes that are known to fail, by key, and what they say: they are not tried again. Only with
  /// `on_failure`.
  std::map<std::string, std::string> failures = {};
  /// Other workers fill the same store while this run goes on (workers/shared_run.hpp): the plan
  /// only looks artifacts up, and each is verified when something needs it.
  bool shares_work = false;
  /// Only a plan is made, of a run of so many ranks, which are not there: it is that of the rank
  /// with most of the rows. 0: of this process.
  std::size_t planned_ranks = 0;

  /// Whether evaluators without test rows have nothing to do.
  bool settles_idle_evaluators() const noexcept { return cross_validated || judged_elsewhere; }
};

/// One run: the compiled pipeline, how far each node has come, and the services that nodes use.
class Session {
 public:
  /// Compiles. With `known`, the shapes of a model that is applied to new data.
  Session(const Pipeline& pipeline, const Catalogue& catalogue, const RunOptions& options,
          RunPurpose purpose = {}, const KnownShapes* known = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Makes the plan (verifying what the store has), refuses what cannot fit, and lists the nodes
  /// for the display.
  void prepare();

  /// For predict(): nothing is learned, kept or stored. `model` is its checksum; throws Error where
  /// ranks apply different models, or one model to different data.
  void prepare_prediction(const std::string& model);

  /// The run is over, and what nodes have learned lives on: the data and all rows go, nothing stops
  /// any more, and nobody is told anything.
  void keep_only_what_was_learned();

  /// Runs `body` on the run's threads.
  void execute(const std::function<void()>& body);

  /// @name The pipeline
  /// @{
  std::size_t size() const noexcept { return graph_.nodes.size(); }
  const Compilation& graph() const noexcept { return graph_; }
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
  /// What the plan found in the store may go from now on.
  void release_store() { store_hold_.reset(); }
  /// With others: once all know of it.
  bool stopping() const;
  /// Who asked for the stop.
  std::string stopper() const;

  /// The processes that make this run together.
  Ranks& ranks() noexcept { return ranks_; }
  const Ranks& ranks() const noexcept { return ranks_; }
  /// From now on this rank says when another one is gone; until nobody waits for others any more.
  /// Collective.
  void watch_ranks();
  void stop_watching_ranks() { watch_.reset(); }
  /// Node i learns now, or nothing does.
  void learning(std::optional<std::size_t> i) noexcept { learns_ = i ? *i + 1 : 0; }
  /// Whether all of them see the first one's store, and so can store rows together.
  bool ranks_share_store() const noexcept { return ranks_share_store_; }
  /// Of rows that start at row `span.first` of the data set of node i, those that this process has;
  /// counted from the first of the span. Nothing: all of them.
  std::optional<std::vector<RowSpan>> own_rows(std::size_t i, RowSpan span) const;
  /// The node that learns on all ranks now, if any does: its context has the others.
  void set_learning_together(std::optional<std::size_t> i) noexcept { learning_together_ = i; }

  /// The context of node i's component.
  NodeContext context(std::size_t i);
  /// Runs `body`; what it throws gains node, component, position and phase.
  void guard(std::size_t i, const std::string& phase, const std::function<void()>& body) const;
  /// @}

  /// @name Data
  /// @{

  /// The opened data set of the source that node i's rows come from; opened when first asked for.
  const Dataset& dataset(std::size_t i);
  std::span<const std::int32_t> training_labels(std::size_t i);
  /// The weights of these rows; empty: 1 each.
  std::span<const double> training_weights(std::size_t i);
  /// The groups of a node's training rows; empty: they have none.
  std::span<const std::int32_t> training_groups(std::size_t i);
  /// TrainingSet::row_numbers of node i's training rows.
  std::span<const std::int64_t> row_numbers(std::size_t i);
  /// The same of all its rows.
  std::span<const std::int64_t> all_row_numbers(std::size_t i);
  /// What is known of that source.
  OpenData::Opened& opened(std::size_t i) { return data_->of(node(node(i).spec->origin)); }
  const OpenData::Opened& opened(std::size_t i) const {
    return std::as_const(*data_).of(node(node(i).spec->origin));
  }
  /// Whether its constant columns have been told of; they have been from now on. Thread-safe.
  bool columns_told(std::size_t i);
  /// Throws Error where a file that was read for node i is another by now: what came of it must not
  /// be stored under a key that was made of the former content. Thread-safe.
  void check_files(std::size_t i);
  /// Closes the data sets that nothing will look at any more.
  void close_finished_data();
  /// Whether the data that node i's rows come from may be open now: they are, or there is room for
  /// them beside those that are.
  bool may_open_data(std::size_t i) const;
  /// The same, and from now on they count. With `beyond` in any case.
  bool admit_data(std::size_t i, bool beyond = false);
  /// Closes all data sets; who looks at one opens it again.
  void close_all_data();
  /// From now on the run takes no more memory throughout than it needs at least, and rows that are
  /// kept leave memory; or all is as the plan has allotted it again.
  void take_least_memory(bool least);
  /// @}

  /// @name What becomes of a node
  /// @{

  /// Something of node i is computed.
  void started(std::size_t i);
  /// Node i has learned, or there is nothing to learn.
  void ready(std::size_t i) { run(i).life = Life::ready; }
  void finished(std::size_t i);
  /// Takes note that evaluator i has nothing to judge, since a cross-validation has done it.
  void judged_before(std::size_t i);
  /// Makes the plan anew: `stored` says what the store has by now.
  void renew_plan(const std::function<bool(const std::string& key)>& stored);
  /// Whether something of node i, its state or its rows, is still to be computed by somebody.
  bool unfinished(std::size_t i) const;
  /// Takes note that node i failed: everything behind it fails with it. Only with `on_failure`.
  void fail(std::size_t i, const std::string& message);
  /// @}

 private:
  void open_store();
  void describe_nodes();
  /// The nodes that are known to fail, and all behind them.
  std::vector<char> known_failing() const;
  /// Throws Error where the ranks compute different things; `model` is what they apply, if they do.
  void check_same_run(const std::string& model);
  /// Evaluators without test rows: refuses them before anything is computed, or settles them.
  void settle_idle_evaluators();

  RunOptions options_;
  const RunPurpose purpose_;
  const Catalogue& catalogue_;
  const bool predicting_;
  const Pipeline pipeline_;  ///< with what calibrators learn from
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
      store_hold_;  ///< until what the plan found in the store is in hand
  std::unique_ptr<SlowData> slow_data_;
  Plan plan_;
  Plan allotted_;                                  ///< without nodes: what there is memory for
  std::map<std::size_t, std::size_t> data_bytes_;  ///< of data that may be open, by first source
  std::vector<std::unique_ptr<NodeRun>> runs_;
  std::unique_ptr<RankWatch> watch_;  ///< it looks at what is above
};

}  // namespace semblance
