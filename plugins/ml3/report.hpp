// SPDX-License-Identifier: MIT
#pragma once

#include "cccp.hpp"
#include "semblance/report.hpp"

namespace semblance::ml3 {

/// `objective`, `squared_norm`, `train_error_rate`, `all_negative`, counts of the steps, and the
/// curves by iteration. Without an evaluation (it was stopped) `objective` is the running one.
void report_result(const CccpResult& result, double lambda, std::size_t rows, Report& report);

}  // namespace semblance::ml3
