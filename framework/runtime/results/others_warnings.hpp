// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/run_progress.hpp"

namespace semblance {

/// On the first rank: repeats the warnings of the other ranks that it has not issued itself, with
/// their rank. Does nothing with one rank. Collective.
void tell_others_warnings(RunProgress& progress);

}  // namespace semblance
