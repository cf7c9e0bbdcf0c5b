// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <vector>

#include "runtime/session/run_data.hpp"
#include "runtime/stages/streaming.hpp"

namespace semblance {

/// Learns and streams, stage by stage, until everything planned is there. Throws Cancelled when a
/// stop was requested; finished results are then in the session and in the store.
void compute_plan(RunProgress& progress, RunData& data);

/// Whether a solver's problem is too small to keep all threads busy alone.
bool trains_beside_others(const Compilation& graph, std::size_t i);

/// Trains small problems side by side, each with its share of the memory. Where a share is too
/// little, the problem is trained again alone, with all memory: a share decides whether training is
/// possible, not the result. Returns what each threw; nothing for those that were trained.
std::vector<std::exception_ptr> learn_side_by_side(RunProgress& progress, RunData& data,
                                                   const std::vector<std::size_t>& solvers);

/// Finds the nodes that nothing needs any more, and releases what they hold.
void settle(RunProgress& progress, RunData& data);

/// Runs one stage, with the session's trace, display and clocks. Other ranks run it too, each for
/// its own rows: returns when all are done, and all know of a stop that one wants. Collective.
void stream_stage(RunProgress& progress, RunData& data, const Stage& stage);

}  // namespace semblance
