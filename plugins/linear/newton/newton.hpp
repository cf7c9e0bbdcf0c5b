// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "newton/conjugate_gradients.hpp"
#include "newton/squared_losses.hpp"
#include "problem/linear_task.hpp"

namespace semblance::linear {

struct NewtonOptions {
  double tolerance = default_tolerance;  ///< for every problem: (primal - dual) / primal
  std::size_t max_iterations = default_iterations;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  std::size_t held = 0;  ///< bytes of the memory budget in use by the caller
  /// Limit in bytes of all exact Hessians together, on which the bits depend; 0:
  /// hessian_allowance() (newton_memory.hpp).
  std::size_t exact_bytes = 0;
  /// Whether the dual point of a step may prove the point before the step. If not, the gradient at
  /// the last point itself meets the tolerance.
  bool proves_ahead = true;
  /// Whether a large C is approached along a path of smaller costs. Not for a start that is close
  /// to the optimum.
  bool along_path = true;
  /// No step begins after this number of sweeps, or after this number per step.
  double most_sweeps = std::numeric_limits<double>::infinity();
  double most_sweeps_per_step = std::numeric_limits<double>::infinity();
};

/// The starting point of a minimisation, from another method.
using StartAt = std::function<Solution(std::size_t cost)>;

/// Newton's method with exact line search, all problems in lock-step so that one sweep over the
/// rows serves all of them (Chapelle, Training a support vector machine in the primal, 2007;
/// Keerthi and DeCoste, JMLR 6, 2005). Steps are computed by preconditioned conjugate gradients
/// within a trust region, or exactly if that turns out to be cheaper (newton_steps.hpp). On a stop
/// request the last iterate is returned.
///
/// The problem is solved for each of the `costs`, which increase, from the optimum of the previous
/// one. Exact Hessians are reused from one to the next, and their steps continue along the path
/// inside NewtonSteps. After a stop request all remaining costs get the last point. Collective.
///
/// With `start_at`, which takes the position of a cost, each cost starts at its weights; iterations
/// and objectives continue its counts. On a stop request before the rows were read, the result of
/// `start_at` is returned unchanged.
std::vector<Solution> minimise(SquaredLosses& problem, std::span<const double> costs,
                               const NewtonOptions& options, Context& context,
                               const StartAt& start_at = {});

/// Throws Error with what to do unless the steps of the live problems are finite.
void check_finite(const Vectors<double>& steps, SquaredLosses::Live live, double cost);

}  // namespace semblance::linear
