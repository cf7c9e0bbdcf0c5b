// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "semblance/formula.hpp"

namespace semblance {

/// One decision of a comparison (Operation::where_greater): a step, and the index of the value.
struct Decision {
  std::size_t step = 0;
  std::size_t value = 0;
};

/// The result of a formula for one row: the values of every step, all in float64, independent of
/// the step's type. For questions about a row, not for speed. Decisions that are `turned` are
/// inverted.
std::vector<std::vector<double>> evaluate(const Formula& formula, std::span<const float> row,
                                          std::span<const Decision> turned = {});

/// Whether rounding explains that two forms give these scores of a row. Each of them must be within
/// `allowed` of the formula's result, either unchanged or with some decisions inverted. Only
/// decisions whose sides differ by at most `tolerance` of the largest compared value are inverted.
bool explained_by_rounding(const Formula& formula, Formula::Value result,
                           std::span<const float> row, std::span<const float> one,
                           std::span<const float> other, double allowed, double tolerance);

}  // namespace semblance
