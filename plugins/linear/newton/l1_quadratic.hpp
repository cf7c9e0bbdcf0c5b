// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "problem/sweep.hpp"

namespace semblance::linear {

/// 1, 0 or -1.
inline double sign_of(double x) { return static_cast<double>((x > 0) - (x < 0)); }

/// min_v slope.(v - w) + 1/2 (v - w)^T H (v - w) + |v|_1: the local model of an l1-regularized
/// problem at w. H is positive semi-definite.
struct L1Quadratic {
  const Vectors<double>& gram;  ///< lower triangle; H = factor gram
  double factor = 1;
  std::vector<double> slope;
  std::vector<double> w;
};

/// Solves it until no entry violates its optimality condition (|slope of v| <= 1 where v is 0, else
/// slope = -sign) by more than `tolerance`: passes of coordinate descent find the nonzero entries,
/// then Newton steps in their subspace follow, each with an exact line search. False if a stop was
/// requested; v is then the last point, which is no worse than w.
bool minimise(const L1Quadratic& problem, double tolerance, std::vector<double>& v,
              Context& context);

/// The bytes it needs for this number of entries.
std::size_t l1_quadratic_bytes(std::size_t entries) noexcept;

}  // namespace semblance::linear
