// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "report/run_record.hpp"
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

}  // namespace semblance
