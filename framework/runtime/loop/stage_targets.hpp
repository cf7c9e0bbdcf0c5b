// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/session/run_data.hpp"
#include "runtime/stages/stage.hpp"

namespace semblance {

/// Rows that a stage has to store.
struct StageTarget {
  enum class What {
    kept,     ///< a node's rows, for later stages (and the store)
    training  ///< a solver's input rows, side by side
  };
  What what = What::kept;
  std::size_t node = 0;
};

/// Targets that are not computed yet, whose rows can stream now, and that belong in one stage.
/// Their data may be open, and count from now on. A data set that was begun goes first.
std::vector<StageTarget> ready_targets(RunProgress& progress, RunData& data);

/// The first target and all that share costly work with it, directly or through other targets: one
/// stage computes that work once, where the plan allows so large a stage. Small trainings of the
/// same data that need no costly work belong together, as they train side by side. Any other target
/// that shares nothing gets a stage of its own, so that finished results are in the store early.
std::vector<StageTarget> sharing_first(const RunProgress& progress,
                                       std::vector<StageTarget> targets);

/// Whether any target remains.
bool targets_left(const RunProgress& progress);

/// Makes room for the targets and compiles their computation into one stage.
Stage build_stage(RunProgress& progress, RunData& data, const std::vector<StageTarget>& targets);

/// Called after the stage has run: marks the targets as done, and commits those of the store.
void finish_targets(RunProgress& progress, RunData& data, const std::vector<StageTarget>& targets);

/// Called after the stage has failed: discards unfinished targets as if they had never begun.
void abandon_targets(RunProgress& progress, const std::vector<StageTarget>& targets);

}  // namespace semblance
