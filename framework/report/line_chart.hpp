// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/report.hpp"

namespace semblance {

/// Round numbers (steps of 1, 2 or 5 times a power of ten) that lie in [low, high], about
/// `wanted` of them.
std::vector<double> round_ticks(double low, double high, int wanted);

/// The curve as an inline SVG with axes and ticks. An axis is logarithmic when all of its values
/// are positive and spread over decades. Points that are not finite interrupt the line.
std::string line_chart(const Curve& curve);

}  // namespace semblance
