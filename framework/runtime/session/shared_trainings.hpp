// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/session/run_progress.hpp"
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

}  // namespace semblance
