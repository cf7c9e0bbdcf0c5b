// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "semblance/evaluator.hpp"

/// Figures of probabilities, one row per sample.
namespace semblance::evaluators {

/// The replacement for a probability of 0 in the log loss: 2^-52, as in scikit-learn.
inline constexpr double least_probability = 0x1p-52;

/// Throws Error if a row does not consist of probabilities: a value below 0, or a sum that differs
/// from 1 by more than float32 rounding.
void check_probabilities(const Results& test);

/// - ln p of the class `label`, of values that are clipped to [2^-52, 1 - 2^-52] and then divided
/// by their sum.
double log_loss(std::span<const float> probabilities, std::size_t label);

/// Brier, Verification of forecasts expressed in terms of probability, 1950, eq. (2): the sum over
/// the classes of (p - y)^2, where y is 1 for `label` and else 0. In [0, 2].
double brier_score(std::span<const float> probabilities, std::size_t label);

}  // namespace semblance::evaluators
