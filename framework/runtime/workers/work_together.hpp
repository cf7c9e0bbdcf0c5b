// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/session.hpp"
#include "runtime/workers/shared_run.hpp"

namespace semblance {

/// How work on a graph has ended for this worker.
enum class WorkEnd {
  complete,     ///< everything is in the store, or has failed
  session_lost  ///< something that was there is damaged or gone: open the session anew
};

/// Fills the store together with others until everything that the session's results need is there
/// or has failed: one artifact after the other, those first for which the most work waits. Nothing
/// that others have finished is computed, nor what only that needed; nothing is brought from the
/// store that this worker has no use for. The session must have been prepared with `shares_work`
/// and `on_failure`. Throws Cancelled when a stop was requested.
WorkEnd work_together(Session& session, SharedRun& shared);

/// What SharedRun::enter() and `semblance study status` want to know of the graph.
nlohmann::ordered_json graph_json(const Session& session);

}  // namespace semblance
