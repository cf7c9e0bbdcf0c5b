// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/calibrator.hpp"
#include "semblance/component_info.hpp"
#include "semblance/report.hpp"

namespace semblance::calibrators {

/// The nearest float32 that is not above, or not below, a number.
float rounded_down(double number);
float rounded_up(double number);

/// The figures that report_held_out() reports.
std::vector<FigureInfo> held_out_figures();

/// Reports how often the intervals of the held-out rows have the true number, and their mean width
/// unless one is infinite. `intervals`: rows x 3 for each target number.
void report_held_out(MatrixView intervals, const HeldOutEstimates& held_out, Report& report);

}  // namespace semblance::calibrators
