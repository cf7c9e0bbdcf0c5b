// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/formula.hpp"

namespace semblance {

/// One decision of a comparison (Operation::where_greater): a step, and which of its values.
struct Decision {
  std::size_t step = 0;
  std::size_t value = 0;
};

/// What a formula gives for one row: the values of every step, all in float64, whatever the step
/// says. For questions about a row, not for speed. Decisions that are `turned` go the other way.
std::vector<std::vector<double>> evaluate(const Formula& formula, std::span<const float> row,
                                          std::span<const Decision> turned = {});

/// Whether rounding explains that two forms give these scores of a row: each of them is, within
/// `allowed`, what the formula gives, or would give if one or some of those decisions went the
/// other way whose sides differ by no more than `tolerance` of the largest that is compared there.
bool explained_by_rounding(const Formula& formula, Formula::Value result,
                           std::span<const float> row, std::span<const float> one,
                           std::span<const float> other, double allowed, double tolerance);

}  // namespace semblance
