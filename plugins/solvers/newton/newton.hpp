// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linear/solution.hpp"
#include "newton/shared_preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

struct NewtonOptions {
  double tolerance = 1e-5;  ///< of every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
};

/// Newton's method with exact line search, all problems in lock-step so that one sweep over the
/// rows serves all of them (Chapelle, Training a support vector machine in the primal, 2007;
/// Keerthi and DeCoste, JMLR 6, 2005). Steps come from preconditioned conjugate gradients within a
/// trust region, or are exact where those turn out dearer (newton_steps.hpp). On a stop request the
/// last iterate is returned.
///
/// The problem is solved for each of the `costs`, which increase, from the optimum of the one
/// before; exact Hessians are kept from one to the next and their steps go on along the path inside
/// NewtonSteps. A stop request leaves the last point for all costs that are still to come.
std::vector<Solution> minimise(SquaredHinge& problem, std::span<const double> costs,
                               const NewtonOptions& options, Context& context);

/// Bytes that minimise() holds, the preconditioner aside.
std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems);

/// How many problems to solve at once: as many as `memory` bytes allow, at least one.
std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t memory);

}  // namespace semblance::solvers
