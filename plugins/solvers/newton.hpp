// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "semblance/solver.hpp"
#include "shared_preconditioner.hpp"
#include "squared_hinge.hpp"

namespace semblance::solvers {

struct NewtonOptions {
  double tolerance = 1e-5;  ///< of every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
};

/// One of the problems when training ended.
struct NewtonOutcome {
  double primal = 0;
  double dual = 0;           ///< a lower bound of the minimum
  double gradient_norm = 0;  ///< |g| / |g at w = 0|
};

struct NewtonResult {
  Vectors<double> weights;  ///< problems x dimension; the bias weight last
  std::vector<NewtonOutcome> outcomes;
  Certificate certificate = Certificate::converged;
  std::vector<std::size_t> stalled;  ///< problems whose objective settled before the bound did
  std::size_t iterations = 0;
  double sweeps = 0;               ///< reads of all rows
  std::vector<double> objectives;  ///< sum over the problems, at each iterate
};

/// Newton's method with exact line search, all problems in lock-step so that one sweep over the
/// rows serves all of them (Chapelle, Training a support vector machine in the primal, 2007;
/// Keerthi and DeCoste, JMLR 6, 2005). Steps come from preconditioned conjugate gradients within a
/// trust region, or are exact where those turn out dearer (newton_steps.hpp). On a stop request the
/// last iterate is returned.
NewtonResult minimise(SquaredHinge& problem, const NewtonOptions& options, Context& context);

/// Bytes that minimise() holds, the preconditioner aside.
std::size_t newton_bytes(std::size_t rows, std::size_t dimension, std::size_t problems);

/// How many problems to solve at once: as many as `memory` bytes allow, at least one.
std::size_t newton_batch(std::size_t rows, std::size_t dimension, std::size_t problems,
                         std::size_t memory);

}  // namespace semblance::solvers
