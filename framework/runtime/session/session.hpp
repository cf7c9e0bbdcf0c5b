// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/ranks/rank_watch.hpp"
#include "runtime/session/run_data.hpp"

namespace semblance {

/// One run. Owns its parts, the compiled graph, the progress of the nodes and the data, and the
/// services that these use; functions take only the parts that they need.
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

  /// Throws Error where a source of the model's own data reads files that have changed since the
  /// model was trained. `contents` are the hashes of theirs, by source, where the model has them.
  void check_same_data(const std::map<std::string, std::string>& contents);

  /// Called when the run is over and what nodes have learned lives on: releases the data and all
  /// rows; from now on nothing stops the session, and it reports nothing.
  void keep_only_what_was_learned();

  /// Runs `body` on the run's threads.
  void execute(const std::function<void()>& body);

  /// @name Its parts
  /// @{
  const Compilation& graph() const noexcept { return graph_; }
  RunProgress& progress() noexcept { return *progress_; }
  const RunProgress& progress() const noexcept { return *progress_; }
  RunData& data() noexcept { return *data_; }
  const RunOptions& options() const noexcept { return options_; }
  const Catalogue& catalogue() const noexcept { return catalogue_; }
  RunJournal& journal() noexcept { return journal_; }
  const RunJournal& journal() const noexcept { return journal_; }
  Ranks& ranks() noexcept { return ranks_; }
  /// @}

  /// The source of the stop request.
  std::string stopper() const;

  /// From now on, and until no rank waits for another any more, this rank reports when another one
  /// is gone. Collective.
  void watch_ranks();
  void stop_watching_ranks() { watch_.reset(); }

 private:
  void open_store();
  void describe_nodes();
  bool needs_keys() const;
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
  std::unique_ptr<tbb::task_arena> arena_;
  RunJournal journal_;
  RowMemory memory_;
  RunServices services_;
  InputFiles files_;
  Compilation graph_;
  std::unique_ptr<ArtifactStore> store_;
  std::unique_ptr<ArtifactStore::Hold> store_hold_;  ///< until data_ has the store
  std::unique_ptr<SlowData> slow_data_;
  std::optional<RunProgress> progress_;  ///< once compiled
  std::optional<RunData> data_;
  std::unique_ptr<RankWatch> watch_;  ///< watches the members above
};

}  // namespace semblance
