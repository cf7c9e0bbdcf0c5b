// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "detection_error.hpp"
#include "semblance/component_info.hpp"

namespace semblance::evaluators {

/// The figures of report_verification(), for documentation.
inline const char* const verification_figures =
    "eer (the equal error rate, interpolated), fmr100 and fmr1000 (the lowest false non-match rate "
    "at a false match rate of at most 1/100 and 1/1000), eer_threshold, zero_threshold_error (the "
    "share of pairs whose score has the wrong sign) and the DET curve.";

/// The declarations of these figures.
std::vector<FigureInfo> verification_declarations();

/// Reports the figures of one test, or the means of several with a table of all, and DET curves.
void report_verification(const std::vector<std::pair<std::string, DetectionError>>& tests,
                         Report& report);

}  // namespace semblance::evaluators
