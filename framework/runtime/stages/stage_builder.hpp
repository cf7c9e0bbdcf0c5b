// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>

#include "runtime/session/run_data.hpp"
#include "runtime/stages/stage.hpp"
#include "runtime/store/artifact_index.hpp"

namespace semblance {

/// Compiles what has to be computed for rows of some nodes into one stage: from these nodes back to
/// retained rows, to data sets, or to rows that the caller gives.
class StageBuilder {
 public:
  /// What the stage computes stops soon after `cancel` is set.
  explicit StageBuilder(RunProgress& progress, RunData& data,
                        const std::atomic<bool>* cancel = nullptr)
      : progress_(progress), data_(data), cancel_(cancel) {}

  /// The rows that the caller gives are a user's, not made up: unknown ones are noted, as those of
  /// the data are.
  StageBuilder& of_user() {
    of_user_ = true;
    return *this;
  }

  /// @name Stages that blocks of rows stream through
  /// @{

  /// Adds node i's rows, stored in `rows`, whose first row is the span's.
  void add_rows(std::size_t i, RowSpan span, const std::shared_ptr<KeptRows>& rows);
  /// Adds the rows of node i's inputs, stored side by side in `rows`.
  void add_inputs(std::size_t i, RowSpan span, const std::shared_ptr<KeptRows>& rows);
  /// The stage of all that was added; no block crosses row `boundary`.
  Stage build(std::size_t boundary);
  /// @}

  /// @name Stages for compute_block()
  /// @{

  /// Any rows of node i.
  Stage pulled(std::size_t i);
  /// The values of node i for rows that its source might have given.
  Stage of_given(std::size_t i, MatrixView source_rows);
  /// The inputs of node i for such rows, side by side.
  Stage inputs_of_given(std::size_t i, MatrixView source_rows);
  /// @}

 private:
  std::size_t step(std::size_t i, RowSpan span);
  StageStep made_step(std::size_t i, RowSpan span);
  /// Sets how the rows of a step are computed: from the data set, or from those of its inputs.
  void compute(StageStep& made, const Node& node);
  void give(std::size_t i, MatrixView source_rows);
  RowSizes sizes_of_given() const;
  RowSizes sizes_of_made(const Node& node, std::size_t input);
  void widen(std::size_t step, RowSpan span);
  void deliver(std::size_t step, const std::shared_ptr<KeptRows>& rows, std::size_t origin);
  void copy(std::size_t from, std::size_t node, const std::shared_ptr<KeptRows>& rows,
            std::size_t offset, RowSpan span);

  enum class Purpose { streaming, pulling, given };

  RunProgress& progress_;
  RunData& data_;
  const std::atomic<bool>* cancel_;
  Purpose purpose_ = Purpose::streaming;
  bool of_user_ = false;
  MatrixView given_;
  Stage stage_;
  std::map<std::size_t, std::size_t> steps_;
};

/// Adds the place of its node to what a step throws.
StepGuard step_guard(const RunData& data);

/// Makes room in the store for rows `span` of node i, which all ranks fill, each with its own. The
/// first rank has the draft. Collective.
void make_shared_room(RunProgress& progress, RunData& data, std::size_t i, RowSpan span,
                      const RowSizes& sizes);

/// Called when all ranks have filled shared rows: flushes them to the file, and gives the
/// first rank the checksums of all parts, each computed by the rank that wrote the part.
/// Collective.
KnownChecksums finish_shared_rows(Ranks& ranks, const KeptRows& rows);

}  // namespace semblance
