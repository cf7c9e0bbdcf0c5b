// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/ranks/ranks.hpp"
#include "runtime/services/run_journal.hpp"

namespace semblance {

/// On the first rank: repeats the warnings of the other ranks that it has not issued itself, with
/// their rank. Does nothing with one rank. Collective.
void log_others_warnings(RunJournal& journal, Ranks& ranks);

}  // namespace semblance
