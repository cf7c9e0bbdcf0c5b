// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/session/session.hpp"
#include "runtime/stages/stage.hpp"

namespace semblance {

/// Rows that a stage has to leave behind.
struct StageTarget {
  enum class What {
    kept,     ///< a node's rows, for later stages (and the store)
    training  ///< a solver's input rows, side by side
  };
  What what = What::kept;
  std::size_t node = 0;
};

/// Targets that are still to be computed, whose rows could stream now, and that belong into one
/// stage; of data that may be open, which count from now on. A data set that was begun goes first.
std::vector<StageTarget> ready_targets(Session& session);

/// The first target and those that share costly work with it, directly or through others: one
/// stage computes that work once, where the plan allows a stage that large. What shares nothing
/// gets a stage of its own, so that what is finished is in the store early.
std::vector<StageTarget> sharing_first(const Session& session, std::vector<StageTarget> targets);

/// Whether any target is left at all.
bool targets_left(const Session& session);

/// Makes room for the targets and compiles what has to be computed for them into one stage.
Stage build_stage(Session& session, const std::vector<StageTarget>& targets);

/// After the stage has run: the targets are there; those of the store are committed.
void finish_targets(Session& session, const std::vector<StageTarget>& targets);

/// After the stage has failed: what is not there is as if it had never been begun.
void abandon_targets(Session& session, const std::vector<StageTarget>& targets);

}  // namespace semblance
