// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "newton/active_gram.hpp"

namespace semblance::solvers {

/// The generalized Hessian H = I + 2c sum u_i x_i x_i^T over the active rows of one problem, in
/// double. Sums are double because in float32 the identity is lost where 2c |x|^2 reaches 1e7.
class ExactHessian {
 public:
  /// `keeper`: of several ranks, the one that has H and solves.
  ExactHessian(const Rows& rows, double bias, RowWeights weights = {}, std::size_t keeper = 0);

  /// H for these active rows, in ascending order. False, with the object unusable, when a stop was
  /// requested.
  bool update(std::vector<std::size_t> active, Context& context);

  /// For update_together(), which does the same for several problems on several ranks.
  ActiveGram& gram() noexcept { return gram_; }
  const ActiveGram& gram() const noexcept { return gram_; }

  /// step = -H^-1 gradient with c = `cost`, by a Cholesky factor. False when a stop was requested.
  bool solve(double cost, const double* gradient, double* step, Context& context) const;

  /// Bytes that an object holds for so many own rows, and that a call takes besides.
  static std::size_t bytes(std::size_t rows, std::size_t dimension) noexcept;
  static std::size_t scratch_bytes(std::size_t dimension) noexcept;

  /// Multiply-adds of update() from no rows and of solve().
  static double cost(double active, double dimension) noexcept;

 private:
  ActiveGram gram_;
};

}  // namespace semblance::solvers
