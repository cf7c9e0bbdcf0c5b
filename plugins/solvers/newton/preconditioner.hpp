// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "newton/hessian_sample.hpp"
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

/// Applied as the inverse of M's Cholesky factor, two products with a triangle; made with products
/// and sums in float32 of a sample of the rows, and an exact diagonal from all rows. Null when a
/// stop was requested. Collective.
std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context);

/// Applied as the inverse of the lower triangle of `m`, with its rows and columns multiplied by
/// `scale` unless that is empty: m is overwritten by its factor. Where rounding makes it
/// indefinite, its diagonal is raised. Null when a stop was requested. Collective.
std::unique_ptr<Preconditioner> inverse_preconditioner(Vectors<float>& m,
                                                       std::span<const double> scale,
                                                       Context& context);

/// Bytes that it takes while it is made, and that it keeps.
std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept;
std::size_t cholesky_kept_bytes(std::size_t dimension) noexcept;

/// The vectors of the live problems, one after the other, in float32.
Vectors<float> rounded(const Vectors<double>& r, std::span<const std::size_t> live);

/// Multiply-adds that a Cholesky preconditioner of so many rows takes.
double cholesky_cost(double rows, std::size_t dimension) noexcept;

/// Applied as the inverse of mu I + A^T A, where A has the sampled rows of M, fewer than it has
/// columns (Woodbury), and their mean a part of its own: it costs about what products of these rows
/// with each other do. mu is 1 where all rows are sampled, and else more, for what those that are
/// left out add. In float32. Null when a stop was requested. Collective.
std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       Context& context);

/// Bytes that it takes while it is made, and that it keeps, of so many sampled rows.
std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept;
std::size_t sampled_kept_bytes(std::size_t rows, std::size_t dimension) noexcept;

/// M's diagonal. Null when a stop was requested. Collective.
std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context);

}  // namespace semblance::solvers
