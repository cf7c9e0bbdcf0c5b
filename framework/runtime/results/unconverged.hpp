// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/session.hpp"

namespace semblance {

/// Warns of machines that ended short of their own criterion: once for each of the pipeline's
/// nodes, however many times it was trained, with the largest gap that is left and what to do.
/// Machines that come from the store count as well.
void warn_of_unconverged(Session& session);

}  // namespace semblance
