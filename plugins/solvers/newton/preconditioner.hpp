// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "semblance/samples.hpp"
#include "sweep.hpp"

namespace semblance::solvers {

/// A fixed symmetric positive definite approximation of the inverse Hessians of all problems.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// out_c = M^-1 r_c for the live problems. Collective.
  virtual void apply(const Vectors<double>& r, std::span<const std::size_t> live,
                     Vectors<double>& out, Context& context) const = 0;
};

/// What M = I + 2C sum_i share_i x_i x_i^T is made of; a row enters with the share of the problems
/// in which it is active, since the Hessian of one problem has its active rows only.
struct HessianSample {
  const Rows& rows;
  std::span<const float> shares;  ///< one an own row
  double cost = 1;
  double bias = 0;     ///< appended to the rows unless 0
  double stretch = 0;  ///< rows of smaller shares are sampled, one a stretch of shares
};

/// Applied as the inverse of M's Cholesky factor, two products with a triangle; made with products
/// and sums in float32 of a sample of the rows, and an exact diagonal from all rows. Null when a
/// stop was requested. Collective.
std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context);

/// Bytes that it takes while it is made, and that it keeps.
std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept;
std::size_t cholesky_kept_bytes(std::size_t dimension) noexcept;

/// Multiply-adds that a Cholesky preconditioner of so many rows takes.
double cholesky_cost(double rows, std::size_t dimension) noexcept;

/// M's diagonal. Null when a stop was requested. Collective.
std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context);

}  // namespace semblance::solvers
