// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "report/run_record.hpp"
#include "runtime/session/session.hpp"

namespace semblance {

/// Writes into the log how many ranks there are, with how many threads, and which share of rows and
/// memory each has. Nothing without others. Collective.
void tell_shares(Session& session);

/// What each rank has sent, and taken of memory, so far; it goes into the log as well. Empty
/// without others. Collective.
std::vector<RankRecord> tell_traffic(Session& session);

}  // namespace semblance
