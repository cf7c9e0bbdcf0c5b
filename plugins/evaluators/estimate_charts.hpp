// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "semblance/report.hpp"

namespace semblance::evaluators {

/// The share of the rows over the largest error that they have.
Curve error_curve(const std::string& name, std::span<const double> errors);

/// Estimates over true numbers as points, on both sides of the diagonal. The twentieth with the
/// largest errors is marked. An error is the estimate minus the true number.
PlaneMap estimate_map(const std::string& name, std::span<const double> truth,
                      std::span<const double> errors);

}  // namespace semblance::evaluators
