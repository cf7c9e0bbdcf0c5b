// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// Reports log_loss and brier_score, means over these samples, which have labels, and returns the
/// latter. Throws Error if a row does not consist of probabilities: a value below 0, or a sum that
/// differs from 1 by more than float32 rounding.
///
/// log_loss: - ln p of the own class, of values that are clipped to [2^-52, 1 - 2^-52] and then
/// divided by their sum, as in scikit-learn. brier_score (Brier, Verification of forecasts
/// expressed in terms of probability, 1950, eq. (2)): the sum over the classes of (p - y)^2, where
/// y is 1 for the own class and else 0; in [0, 2].
double report_probability_losses(const Results& test, std::span<const std::size_t> rows,
                                 Report& report);

}  // namespace semblance::evaluators
