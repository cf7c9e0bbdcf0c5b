// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "pair_space.hpp"
#include "pair_table.hpp"
#include "semblance/context.hpp"
#include "semblance/solver.hpp"

namespace semblance::pairwise {

struct PairNewtonOptions {
  double cost = 1;          ///< of a pair's squared loss
  double tolerance = 1e-4;  ///< of |gradient| / |gradient at w = 0|
  std::size_t most_iterations = 100;
  std::size_t most_products = 200;  ///< Hessian products of one Newton step
};

struct PairNewtonSolution {
  std::vector<double> w;
  std::vector<double> coefficients;  ///< in place of w, of each pair: see minimise_by_pairs()
  double bias = 0;
  double objective = 0;
  double gradient_norm = 1;  ///< relative
  double dual = 0;           ///< the best lower bound of the minimum that was found
  std::size_t iterations = 0;
  std::size_t products = 0;                        ///< Hessian products
  std::size_t active = 0;                          ///< pairs with a loss
  std::vector<double> objectives, gradient_norms;  ///< at each iterate
  Certificate certificate = Certificate::converged;
};

/// min 1/2 |w|^2 + C sum_p max(0, 1 - y_p (<w, Phi_p> + bias))^2 over the weights of `space` and
/// the bias, which is not regularized, by Newton's method: conjugate gradients on the pairs that
/// have a loss, until their residual is a share of the gradient, then an exact line search
/// (Chapelle 2007; Keerthi and DeCoste 2005). The bias is eliminated: at every iterate it is the
/// best one for w. The gradient is double; products within conjugate gradients are float32. Since
/// the objective is strongly convex, 1/2 |gradient|^2 bounds its distance from the minimum. A stop
/// request ends it with the last iterate.
PairNewtonSolution minimise(const PairSpace& space, const LabelledPairs& pairs,
                            const PairNewtonOptions& options, Context& context);

/// Bytes that minimise() takes for so many pairs.
std::size_t newton_bytes(const PairSpace& space, std::size_t pairs) noexcept;

}  // namespace semblance::pairwise
