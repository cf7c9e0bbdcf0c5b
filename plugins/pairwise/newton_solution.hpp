// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "pair_weights.hpp"
#include "semblance/context.hpp"
#include "semblance/solver.hpp"

namespace semblance::pairwise {

struct NewtonOptions {
  double cost = 1;           ///< of a pair's squared loss
  PairWeights weights = {};  ///< u, the factor of its loss
  double tolerance = 0;      ///< of the duality gap, relative to the objective
  std::size_t most_iterations = 100;
  std::size_t most_products = 200;  ///< Hessian products of one Newton step
};

struct NewtonSolution {
  std::vector<double> w;
  std::vector<double> coefficients;  ///< in place of w, of each pair: see minimise_by_pairs()
  double bias = 0;
  double objective = 0;
  double gradient_norm = 1;  ///< relative
  double dual = 0;           ///< the best known lower bound of the minimum
  std::size_t iterations = 0;
  std::size_t products = 0;                        ///< Hessian products
  std::size_t active = 0;                          ///< pairs with a loss
  std::vector<double> objectives, gradient_norms;  ///< at each iterate
  Certificate certificate = Certificate::converged;

  double relative_gap() const noexcept {
    return objective > 0 ? (objective - dual) / objective : 0;
  }

  /// Records and logs the iterate's figures, and decides whether it is the last: within the
  /// tolerance, at the limit of iterations, or as good as rounding allows.
  bool is_last(const NewtonOptions& options, Context& context);
};

}  // namespace semblance::pairwise
