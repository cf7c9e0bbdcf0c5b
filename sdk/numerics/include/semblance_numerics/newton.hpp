// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "semblance_numerics/solution.hpp"
#include "semblance_numerics/squared_losses.hpp"

namespace semblance::numerics {

/// The linear functions f = A w of the samples, as Newton's method needs them: the operator's side
/// of the problems whose samples' side is SquaredLosses. Vectors have a row for each problem,
/// arrays by sample the order of SquaredLosses; only the `live` problems are read and written.
/// Members that return false were stopped, and their results are unusable. All are collective.
class NewtonOperator {
 public:
  using Live = std::span<const std::size_t>;

  virtual ~NewtonOperator() = default;

  /// The entries of w.
  virtual std::size_t dimension() const = 0;

  /// f = A v by sample, and out = A^T z; in double.
  virtual bool multiply(const Vectors<double>& v, Live live, std::span<double> f) = 0;
  virtual bool transpose(std::span<const double> z, Live live, Vectors<double>& out) = 0;

  /// out = A^T D (A v - shift), with the curvatures D by sample and a shift for each problem. It
  /// takes most of the time; float32 products suffice.
  virtual bool curve(const Vectors<double>& v, Live live, std::span<const float> curvatures,
                     std::span<const double> shifts, Vectors<double>& out) = 0;

  /// Called before each step by conjugate gradients, after `products` of them in all: the time to
  /// make or renew a preconditioner.
  virtual bool prepare(const SquaredLosses&, Live, std::size_t /*products*/) { return true; }
  /// out = M^-1 r with a fixed symmetric positive definite M that resembles the Hessians.
  virtual void precondition(const Vectors<double>& r, Live live, Vectors<double>& out) const;
  /// Called when C has grown.
  virtual void cost_changed() {}

  /// The mean of |x|^2 over the samples x, the rows of A; 0: no path of costs is followed.
  virtual double squared_length() { return 0; }

  /// Whether solving for the steps of a problem exactly is worth it, after this number of products
  /// by conjugate gradients and with this number of active samples.
  virtual bool worth_exact(std::size_t /*products*/, double /*active*/) const { return false; }
  /// Whether exact steps may be worth it at all.
  virtual bool may_be_exact() const { return false; }
  /// steps = -H^-1 gradient for H = I + A^T D A.
  virtual bool solve(const SquaredLosses&, const Vectors<double>& /*gradient*/, Live,
                     Vectors<double>& /*steps*/) {
    return true;
  }
};

struct NewtonOptions {
  double tolerance = 1e-5;  ///< for every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;
  /// Whether the dual point of a step may prove the point before the step. If not, the gradient at
  /// the last point itself meets the tolerance.
  bool proves_ahead = true;
  /// Whether a large C is approached along a path of smaller costs. Not for a start that is close
  /// to the optimum.
  bool along_path = true;
};

/// The starting point of a minimisation, from another method; called with the place of its cost.
using StartAt = std::function<Solution(std::size_t cost)>;

/// Minimises the problems by Newton's method with exact line search, all in lock-step so that they
/// share each product (Chapelle, Training a support vector machine in the primal, 2007; Keerthi and
/// DeCoste, JMLR 6, 2005). A step is one of two: conjugate gradients with the operator's
/// preconditioner within a trust region (Steihaug, SIAM J. Numer. Anal. 20, 1983), or, once the
/// operator finds that worth it, the exact solution, along a path of costs that ends at C.
///
/// One solution for each of the `costs`, which increase, each from the optimum of the previous one.
/// With `start_at` each starts at its weights instead; iterations and objectives continue its
/// counts. A stop request returns the best iterates; before the first evaluation, the result of
/// `start_at` itself. With intercepts (SquaredLosses::Data) the solution's `offsets` are these, and
/// it must start at 0. Throws Error if steps overflow. Collective.
std::vector<Solution> newton(NewtonOperator& functions, SquaredLosses& losses,
                             std::span<const double> costs, const NewtonOptions& options,
                             Context& context, const StartAt& start_at = {});

/// Throws Error with what to do unless the steps of the live problems are finite.
void check_finite(const Vectors<double>& steps, SquaredLosses::Live live, double cost);

/// Bytes that newton() and its SquaredLosses need for this number of own samples, without what the
/// operator needs.
std::size_t newton_bytes(std::size_t samples, std::size_t dimension, std::size_t problems);

}  // namespace semblance::numerics
