// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "linear/solution.hpp"
#include "newton/progress.hpp"
#include "newton/shared_preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

struct NewtonOptions {
  double tolerance = 1e-5;  ///< of every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  std::size_t held = 0;  ///< bytes of the memory budget that the caller holds
  /// Bytes that all exact Hessians may take together, on which the bits depend; 0:
  /// hessian_allowance() (newton_memory.hpp).
  std::size_t exact_bytes = 0;
  /// Whether the dual point that belongs to a step may prove the point before it. Without it the
  /// gradient at the last point itself is as small as the tolerance asks.
  bool proves_ahead = true;
  Progress* progress = nullptr;  ///< where it is kept how far it has come, after each iteration
};

/// Where to begin a minimisation: what another way has found.
using StartAt = std::function<Solution(std::size_t cost)>;

/// Newton's method with exact line search, all problems in lock-step so that one sweep over the
/// rows serves all of them (Chapelle, Training a support vector machine in the primal, 2007;
/// Keerthi and DeCoste, JMLR 6, 2005). Steps come from preconditioned conjugate gradients within a
/// trust region, or are exact where those turn out dearer (newton_steps.hpp). On a stop request the
/// last iterate is returned.
///
/// The problem is solved for each of the `costs`, which increase, from the optimum of the one
/// before; exact Hessians are kept from one to the next and their steps go on along the path inside
/// NewtonSteps. A stop request leaves the last point for all costs that are still to come.
/// Collective.
///
/// With `start_at`, which is told the position of a cost, each begins at those weights; iterations
/// and objectives are counted on from there. On a stop request before the rows were read, what
/// `start_at` gave is returned as it is.
std::vector<Solution> minimise(SquaredHinge& problem, std::span<const double> costs,
                               const NewtonOptions& options, Context& context,
                               const StartAt& start_at = {});

/// Throws Error with what to do unless the steps of the live problems are finite.
void check_finite(const Vectors<double>& steps, SquaredHinge::Live live, double cost);

}  // namespace semblance::solvers
