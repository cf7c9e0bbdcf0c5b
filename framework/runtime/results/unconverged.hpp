// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session/run_progress.hpp"

namespace semblance {

/// Warns of machines that did not reach their stopping criterion: once for each of the pipeline's
/// nodes, however many times it was trained, with the largest remaining gap and what to do.
/// Includes machines that come from the store.
void warn_of_unconverged(RunProgress& progress);

}  // namespace semblance
