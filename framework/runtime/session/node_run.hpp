// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "report/run_record.hpp"
#include "runtime/session/node_checkpoint.hpp"
#include "runtime/store/artifact_store.hpp"
#include "runtime/store/kept_rows.hpp"

namespace semblance {

/// How far a node has come.
enum class Life {
  waiting,   ///< it has not learned yet
  ready,     ///< it has learned, or there is nothing to learn
  finished,  ///< and nothing that is still to be done looks at it
  failed     ///< it or a node before it; nothing more is done for it
};

/// How far a node's kept rows have come.
enum class RowsLife {
  pending,  ///< nobody has asked for them yet, or they are being written
  there,    ///< all of them
  released  ///< they were there; nothing that is still to be done looks at them
};

/// Beside what a node's work is tried, where it may fail for want of memory.
enum class Beside {
  others,   ///< whatever else is there
  nothing,  ///< it failed, and waits until nothing else can be done
  tried     ///< nothing else could be done: what it says now is final
};

/// What becomes of a node while a run goes on.
struct NodeRun {
  Life life = Life::waiting;
  bool computed = false;  ///< something of it in this run, so that it is not just from the store
  RowsLife rows_life = RowsLife::pending;
  Beside beside = Beside::others;
  std::shared_ptr<KeptRows> rows;               ///< kept rows, while needed
  std::shared_ptr<const Rows> gathered;         ///< all training rows, while the first rank learns
  std::atomic<RowOffsets> offsets;              ///< of all rows, once asked for
  std::unique_ptr<ArtifactStore::Draft> draft;  ///< the artifact that `rows` are written into
  std::unique_ptr<NodeCheckpoint> checkpoint;   ///< while it learns, where it is kept
  NodeRecord record;
  std::string learned_on;  ///< the kind of processor; empty: this one's
  std::atomic<std::int64_t> busy_nanoseconds = 0;
  std::atomic<std::size_t> rows_streamed = 0;
  std::atomic<std::int64_t> predict_nanoseconds = 0;  ///< of a solver: busy with scores of rows
  std::atomic<std::size_t> rows_predicted = 0;

  bool ready() const noexcept { return life == Life::ready || life == Life::finished; }
  bool failed() const noexcept { return life == Life::failed; }
  bool has_rows() const noexcept { return rows_life == RowsLife::there; }
  bool rows_pending() const noexcept { return rows_life == RowsLife::pending; }
};

}  // namespace semblance
