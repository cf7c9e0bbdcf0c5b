// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "newton/pair_space.hpp"
#include "semblance/context.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/convergence.hpp"
#include "training/training_pairs.hpp"

namespace semblance::pairs {

struct NewtonOptions {
  double cost = 1;           ///< of a pair's squared loss
  PairWeights weights = {};  ///< u, the factor of its loss
  double tolerance = 0;      ///< of the duality gap, relative to the objective
  std::size_t most_iterations = 100;
  std::size_t most_products = 200;  ///< Hessian products of one Newton step
  double least_reduction = 0;       ///< the most that conjugate gradients shorten the residual
};

struct NewtonSolution {
  std::vector<double> w;
  std::vector<double> coefficients;  ///< in place of w, of each pair: see minimise_by_pairs()
  double bias = 0;
  double objective = 0;
  double square = 0;         ///< |w|^2
  double gradient_norm = 1;  ///< relative
  double dual = 0;           ///< the best known lower bound of the minimum
  std::size_t iterations = 0;
  std::size_t products = 0;                        ///< Hessian products
  std::size_t active = 0;                          ///< pairs with a loss
  std::vector<double> objectives, gradient_norms;  ///< at each iterate
  numerics::Convergence convergence;               ///< the relative gap
  Certificate certificate = Certificate::converged;

  double relative_gap() const noexcept {
    return objective > 0 ? (objective - dual) / objective : 0;
  }

  /// Records and logs the iterate's figures, and decides whether it is the last: within the
  /// tolerance, at the limit of iterations, or as good as rounding allows.
  bool is_last(const NewtonOptions& options, Context& context);
};

/// min 1/2 |w|^2 + C sum_p max(0, 1 - y_p (<w, Phi_p> + bias))^2 over the weights of `space` and
/// the bias, which is not regularized, by Newton's method: conjugate gradients on the pairs with a
/// loss, until the residual is a share of the gradient, then an exact line search (Chapelle 2007;
/// Keerthi and DeCoste 2005). The bias is eliminated: at every iterate it is optimal for w. The
/// gradient is double; products within conjugate gradients are float32. Since the objective is
/// strongly convex, 1/2 |gradient|^2 bounds its distance from the minimum. A stop request ends it
/// with the last iterate. Each rank computes values and losses of its own pairs; the weights are
/// the same everywhere. Collective.
NewtonSolution minimise_by_weights(const PairSpace& space, const LabelledPairs& pairs,
                                   const PairShares& shares, const NewtonOptions& options,
                                   Context& context);

/// Products with a kernel's matrix of all training pairs, which is symmetric and positive
/// semi-definite and need not exist.
class PairMatrix {
 public:
  virtual ~PairMatrix() = default;

  /// sums[p] += sum_q factors[q] K(chosen[q], p) for all pairs p, in double. False on a stop
  /// request; the sums are then unusable.
  virtual bool add(std::span<const std::uint32_t> chosen, std::span<const double> factors,
                   std::span<double> sums, Context& context) = 0;

  /// The pairs that multiply() is about, ascending.
  virtual void choose(std::span<const std::uint32_t> chosen) = 0;

  /// out = K v for the chosen pairs among themselves, perhaps in float32. Meaningless after a stop
  /// request.
  virtual void multiply(const std::vector<double>& v, std::vector<double>& out,
                        Context& context) = 0;
};

/// minimise_by_weights() for the same problem without weights: w = sum gamma_p Phi_p is represented
/// by the coefficients of the pairs, and only kernel values of pairs are used (Chapelle 2007).
/// Every vector of conjugate gradients is a multiple of w plus a sum over the pairs with a loss. So
/// a Hessian product is one product with the kernel's matrix of these pairs. There is no
/// preconditioner. Decision values of all pairs are double and follow each step by products in
/// double. The solution has `coefficients`, no w. In distributed training each rank has all pairs
/// and does all the work; ranks synchronise only for stop requests. Collective.
NewtonSolution minimise_by_pairs(PairMatrix& matrix, const LabelledPairs& pairs,
                                 const NewtonOptions& options, Context& context);

}  // namespace semblance::pairs
