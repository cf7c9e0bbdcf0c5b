// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "registry/catalogue.hpp"
#include "runtime/session/run_progress.hpp"
#include "runtime/sources/open_data.hpp"
#include "runtime/sources/slow_data.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/input_files.hpp"
#include "runtime/store/row_memory.hpp"
#include "semblance/shared_work.hpp"

namespace semblance {

/// The nodes that can share work while they learn (SharesWork): groups of at least two, by
/// NodeFacts::shared_work, each in the order of the pipeline.
std::vector<std::vector<std::size_t>> sharing_groups(const Compilation& graph);

/// The work that trainings share in this run. It is made when the first of a group learns, and
/// released when the last one has. It takes up to half of the memory that is free, divided by the
/// number of trainings that run at a time. of() and learned() are thread-safe.
class SharedTrainings {
 public:
  SharedTrainings(const RunProgress& progress, RowMemory& memory)
      : progress_(progress), memory_(memory) {}

  /// All nodes in the order in which they should learn: nodes that share work one after the other,
  /// where the first of them is. So the work of few groups is in memory at a time.
  const std::vector<std::size_t>& order();

  /// The work that node i shares now, if any; null where no other training would use it. `rows` is
  /// the number of samples that it learns from.
  std::shared_ptr<SharedWork> of(std::size_t i, std::size_t rows);
  /// Called when node i has learned, or has failed to.
  void learned(std::size_t i);
  /// Releases what no node will use any more, such as nodes that failed.
  void release_unneeded();
  /// Releases everything. What is used at this moment lives until its training ends.
  void release();

 private:
  struct Group {
    std::vector<std::size_t> nodes = {};
    std::shared_ptr<SharedWork> work = nullptr;
    std::shared_ptr<void> memory = nullptr;  ///< a lease of its bytes

    void release() noexcept {
      work = nullptr;
      memory = nullptr;
    }
  };

  void find_groups();
  Group* group_of(std::size_t i);
  bool awaited(std::size_t i) const { return progress_.plan(i).learns() && !learned_.contains(i); }

  const RunProgress& progress_;
  RowMemory& memory_;
  std::mutex mutex_;
  std::map<std::string, Group> groups_;  ///< by NodeFacts::shared_work
  std::set<std::size_t> learned_;
  std::vector<std::size_t> order_;  ///< empty: not known yet, as the groups
};

/// The data of a run: the data sets of its sources, open or not, the memory for rows that are
/// retained, and the store that has those of other runs.
class RunData {
 public:
  /// All arguments must outlive the object. With `of_model`, sources are not compared with what
  /// they announced: a model is applied to them.
  RunData(RunProgress& progress, const Catalogue& catalogue, InputFiles& files, RowMemory& memory,
          SlowData* slow, bool of_model);
  RunData(const RunData&) = delete;
  RunData& operator=(const RunData&) = delete;

  /// @name Data sets
  /// @{

  /// The data set of the source that node i's rows come from; opened on first use.
  const Dataset& dataset(std::size_t i);
  std::span<const std::int32_t> training_labels(std::size_t i);
  /// The numbers to predict for the same samples (TrainingSet::targets); empty: none.
  std::span<const double> training_targets(std::size_t i);
  /// The weights of the same samples; empty: 1 each.
  std::span<const double> training_weights(std::size_t i);
  /// The groups of a node's training samples; empty: none.
  std::span<const std::int32_t> training_groups(std::size_t i);
  /// TrainingSet::row_numbers of node i's training samples.
  std::span<const std::int64_t> row_numbers(std::size_t i);
  /// The numbers of all its samples.
  std::span<const std::int64_t> all_row_numbers(std::size_t i);
  /// The facts about that source.
  OpenData::Opened& opened(std::size_t i) { return open_.of(source_of(i)); }
  const OpenData::Opened& opened(std::size_t i) const { return open_.of(source_of(i)); }
  /// Whether its constant columns have been reported; from now on they count as reported.
  /// Thread-safe.
  bool columns_told(std::size_t i);
  /// Throws Error where a file that was read for node i has changed: results must not be stored
  /// under a key made from its former content. Thread-safe.
  void check_files(std::size_t i);
  /// Runs `body`; an exception gains node, component, position and phase, and the name of its row.
  void guard(std::size_t i, const std::string& phase, const std::function<void()>& body) const;

  /// Whether the data that node i's rows come from may be open now: they are open, or there is room
  /// for them besides the open ones.
  bool may_open_data(std::size_t i) const;
  /// The same, and counts the data as open from now on; with `beyond`, in any case.
  bool admit_data(std::size_t i, bool beyond = false);
  /// Closes the data sets that nothing needs any more.
  void close_finished_data();
  /// Closes all data sets; they open again on next use.
  void close_all_data();
  /// @}

  /// @name Memory and store
  /// @{
  RowMemory& memory() const noexcept { return memory_; }
  /// What solvers share while they learn.
  SharedTrainings& shared_trainings() noexcept { return shared_trainings_; }
  /// Takes the memory that the plan has allotted.
  void take_allotted_memory();
  /// With `least`, the run takes only the memory that it needs at least throughout, and retained
  /// rows leave memory; otherwise it returns to what the plan has allotted.
  void take_least_memory(bool least);

  /// nullptr: nothing is stored.
  ArtifactStore* store() const noexcept { return store_; }
  /// From now on this is the store. While `hold` lives, what the plan finds there is not removed.
  void use_store(ArtifactStore& store, std::unique_ptr<ArtifactStore::Hold> hold);
  /// Whether all ranks see the first rank's store, and so can store rows together.
  void share_store(bool shared) noexcept { ranks_share_store_ = shared; }
  bool ranks_share_store() const noexcept { return ranks_share_store_; }
  /// Allows artifacts that the plan found in the store to be removed from now on.
  void release_store() { store_hold_.reset(); }

  /// Called when the run is over and what nodes have learned lives on: releases the data, all rows
  /// and the store.
  void keep_only_what_was_learned();
  /// @}

 private:
  const NodeFacts& source_of(std::size_t i) const {
    return progress_.facts(progress_.facts(i).spec->origin);
  }

  RunProgress& progress_;
  const Catalogue& catalogue_;
  InputFiles& files_;
  RowMemory& memory_;
  SharedTrainings shared_trainings_;
  const bool of_model_;
  OpenData open_;
  std::mutex open_mutex_;
  std::map<std::size_t, std::size_t> data_bytes_;  ///< of data that may be open, by first source
  Plan allotted_;                                  ///< without nodes: the memory that was allotted
  ArtifactStore* store_ = nullptr;
  std::unique_ptr<ArtifactStore::Hold> store_hold_;  ///< until all that the plan found is open
  bool ranks_share_store_ = false;
};

}  // namespace semblance
