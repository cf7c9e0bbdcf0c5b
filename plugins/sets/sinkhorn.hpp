// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace semblance::sets {

/// When sinkhorn_cost() stops.
struct SinkhornLimits {
  double epsilon = 0.05;          ///< weight of the entropy, as a share of the mean cost; above 0
  std::size_t iterations = 1000;  ///< at most
  double tolerance = 1e-3;        ///< allowed share of the mass in wrong rows
};

struct SinkhornCost {
  double cost = 0;
  bool converged = false;
};

/// transport_cost() with an entropic regularizer (Cuturi 2013), in the log domain, where no epsilon
/// underflows. The plan is then rounded to a feasible one (Altschuler, Weed & Rigollet 2017,
/// algorithm 2). So the cost is never below the least one. After convergence it exceeds it by at
/// most epsilon log(rows columns) times the mean cost, plus the mass moved by rounding. Polls once
/// per iteration.
SinkhornCost sinkhorn_cost(
    std::span<const double> costs, std::size_t rows, std::size_t columns,
    const SinkhornLimits& limits, const std::function<void()>& poll = [] {});

/// log(sum over k of exp(values[k] - costs[k])).
double log_sum_exp(const double* values, const double* costs, std::size_t count);

}  // namespace semblance::sets
