// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session.hpp"
#include "runtime/stages/streaming.hpp"

namespace semblance {

/// Learns and streams, stage by stage, until everything planned is there. Throws Cancelled when a
/// stop was requested; what is finished by then is in the session and in the store.
void run_stages(Session& session);

/// Takes note of the nodes that nothing looks at any more, and gives back what they hold.
void settle(Session& session);

/// Runs one stage, with the session's trace, display and clocks.
void run_stage(Session& session, const Stage& stage);

}  // namespace semblance
