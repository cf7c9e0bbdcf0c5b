// SPDX-License-Identifier: MIT
#pragma once

#include "one_against_rest.hpp"

namespace semblance::calibrators {

/// p(f) = 1 / (1 + exp(slope f + offset)).
struct Sigmoid {
  double slope = 0;
  double offset = 0;
};

/// ln p(f), and ln (1 - p(f)) for `against`, without loss of digits.
double log_sigmoid(const Sigmoid& sigmoid, double score) noexcept;
double log_against(const Sigmoid& sigmoid, double score) noexcept;

/// Platt, Probabilistic outputs for support vector machines, 1999: the sigmoid of largest
/// likelihood for the targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2); by Newton's method with
/// backtracking, as Lin, Lin and Weng, A note on Platt's probabilistic outputs for support vector
/// machines, 2007, algorithm 1. Deterministic.
Sigmoid fit_sigmoid(const Problem& problem, const Context& context);

}  // namespace semblance::calibrators
