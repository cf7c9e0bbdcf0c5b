// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// How often intervals contain the true numbers, and how wide they are. Throws Error.
void report_covered_intervals(const Intervals& test, Report& report, Context& context);

}  // namespace semblance::evaluators
