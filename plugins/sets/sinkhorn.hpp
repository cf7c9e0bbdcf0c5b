// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace semblance {

/// When sinkhorn_cost() stops.
struct SinkhornLimits {
  double epsilon = 0.05;          ///< weight of the entropy, as a share of the mean cost; above 0
  std::size_t iterations = 1000;  ///< at most
  double tolerance = 1e-3;        ///< share of the mass that may stand in wrong rows
};

struct SinkhornCost {
  double cost = 0;
  bool converged = false;
};

/// transport_cost() with an entropic regularizer (Cuturi 2013), in the log domain, where no epsilon
/// underflows; the plan is then rounded to one that moves the mass as asked (Altschuler, Weed &
/// Rigollet 2017, algorithm 2). So the cost is that of a plan that exists, never below the least
/// one, and once converged above it by at most epsilon log(rows columns) times the mean cost and
/// what rounding moves. Polls once an iteration.
SinkhornCost sinkhorn_cost(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const SinkhornLimits& limits, const std::function<void()>& poll = [] {});

/// log(sum over k of exp(values[k] - costs[k])).
double log_sum_exp(const double* values, const double* costs, std::size_t count);

}  // namespace semblance
