// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/formula.hpp"

namespace semblance {

/// What a formula gives for one row: the values of every step, all in float64, whatever the step
/// says. For questions about a row, not for speed.
std::vector<std::vector<double>> evaluate(const Formula& formula, std::span<const float> row);

/// Whether a comparison of the formula is decided for this row by less than rounding: its sides
/// differ by no more than `tolerance` of their size.
bool is_undecided(const Formula& formula, std::span<const float> row, double tolerance);

}  // namespace semblance
