// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

#include "runtime/session/run_data.hpp"
#include "runtime/workers/shared_run.hpp"
#include "runtime/workers/work_units.hpp"

namespace semblance {

/// An artifact is damaged or gone: the session that relied on it must be opened anew.
class ArtifactLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Loads what an available unit needs into the session, each artifact verified. Throws
/// ArtifactLost, or what a component throws.
void bring_for(RunProgress& progress, RunData& data, const WorkUnit& unit);

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
