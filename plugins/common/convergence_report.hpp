// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/report.hpp"
#include "semblance_numerics/convergence.hpp"

namespace semblance::common {

/// Reports how a solver approached its tolerance: `measure`, which it stops by, over its steps
/// ("convergence_by_iteration", if a `step` is an "iteration") and over time
/// ("convergence_by_seconds"). A page draws the tolerance as a line: it is the curve of the same
/// name with "_tolerance" after it. Nothing if the first step was the last.
void report_convergence(const std::vector<numerics::ConvergencePoint>& points,
                        const std::string& step, const std::string& measure, double tolerance,
                        Report& report);

}  // namespace semblance::common
