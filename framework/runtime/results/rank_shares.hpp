// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "report/run_record.hpp"
#include "runtime/session/run_progress.hpp"

namespace semblance {

/// Logs how many ranks there are, their threads, and the share of rows and memory of each. Does
/// nothing with one rank. Collective.
void log_rank_shares(RunProgress& progress);

/// The traffic and peak memory of each rank so far, which are also logged. Empty with one rank.
/// Collective.
std::vector<RankRecord> log_rank_traffic(Ranks& ranks, RunJournal& journal);

}  // namespace semblance
