// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/run_data.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance {

/// How work on a graph ended for this worker.
enum class WorkEnd {
  complete,     ///< everything is in the store, or has failed
  session_lost  ///< an artifact is damaged or gone: open the session anew
};

/// Fills the store together with other workers until everything that the session's results need is
/// there or has failed: one artifact after another, first those for which the most work waits. Does
/// not compute what other workers have finished, nor what only that needed; loads from the store
/// only what this worker needs. The session must have been prepared with `shares_work` and
/// `on_failure`. Throws Cancelled when a stop was requested.
WorkEnd work_together(RunProgress& progress, RunData& data, SharedRun& shared);

/// The graph as SharedRun::enter() and `semblance study status` need it.
nlohmann::ordered_json graph_json(const RunProgress& progress);

}  // namespace semblance
