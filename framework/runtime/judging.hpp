// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/session.hpp"

namespace semblance {

/// Lets node i, an evaluator, judge: the scores of the solver before it, or, where it judges
/// samples, the training rows of the node before it.
void judge(Session& session, std::size_t i, Report& report);

}  // namespace semblance
