// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "semblance/solver.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// One of the problems when training ended.
struct Outcome {
  double primal = 0;
  double dual = 0;           ///< a lower bound of the minimum
  double gradient_norm = 1;  ///< |g| / |g at w = 0|; 1 where training ended before it was known
};

/// Whether the lower bound is within `tolerance` of the objective: never where one of them is not
/// finite, nor where rounding has put the bound above the objective, which proves nothing.
inline bool proved(const Outcome& outcome, double tolerance) noexcept {
  const double gap = outcome.primal - outcome.dual;
  return std::isfinite(gap) && std::abs(gap) <= tolerance * outcome.primal;
}

/// What the minimisation of one problem a class, or of one for all classes, came to.
struct Solution {
  Vectors<double> weights;        ///< one vector a class or problem; the bias weight last
  std::vector<Outcome> outcomes;  ///< one a problem
  Certificate certificate = Certificate::converged;
  std::vector<std::size_t> stalled;  ///< problems whose objective settled before the bound did
  std::size_t iterations = 0;
  double sweeps = 0;                ///< reads of all rows
  std::vector<double> objectives;   ///< sum over the problems, at each iterate
  std::vector<double> start_norms;  ///< |g at w = 0| of each problem, where it is known
};

}  // namespace semblance::solvers
