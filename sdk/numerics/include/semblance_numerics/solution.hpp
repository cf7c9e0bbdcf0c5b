// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/convergence.hpp"
#include "semblance_numerics/padded_vectors.hpp"

namespace semblance::numerics {

/// The state of one problem at the end.
struct Outcome {
  double primal = 0;
  double dual = 0;           ///< a lower bound of the minimum
  double gradient_norm = 1;  ///< |g| / |g at w = 0|; 1 if it ended before it was known
};

/// Whether the lower bound is within `tolerance` of the objective: false if one of them is not
/// finite, or if rounding has put the bound above the objective, which proves nothing.
inline bool proved(const Outcome& outcome, double tolerance) noexcept {
  const double gap = outcome.primal - outcome.dual;
  return std::isfinite(gap) && std::abs(gap) <= tolerance * outcome.primal;
}

/// The result of minimising one problem per class or target, or one for all classes.
struct Solution {
  Vectors<double> weights;        ///< one vector per problem
  std::vector<double> offsets;    ///< added to each function, such as the intercepts; empty: none
  std::vector<Outcome> outcomes;  ///< one per problem
  Certificate certificate = Certificate::converged;
  std::vector<std::size_t> stalled;  ///< problems whose objective settled before the bound did
  std::size_t iterations = 0;
  double sweeps = 0;                ///< reads of all samples
  std::vector<double> objectives;   ///< sum over the problems, at each iterate
  std::vector<double> start_norms;  ///< |g at w = 0| of each problem, if known
  Convergence convergence;          ///< the largest gap, at the iterates

  /// The sum of the problems' objectives.
  double objective() const noexcept;
  /// The largest (primal - dual) / primal of the problems with a loss; at least 0.
  double largest_gap() const noexcept;
  /// Records the objective and the largest gap of an iterate, reports how far its largest gap is
  /// from the tolerance, and logs both: after the name of the `step` and the number of iterations,
  /// before the number of `open` problems and `more`.
  void record(double tolerance, const std::string& step, std::size_t open, Context& context,
              const std::string& more = {});
};

}  // namespace semblance::numerics
