// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "problem/sweep.hpp"
#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The input of M = I + 2C sum_i share_i x_i x_i^T. A row's share is the share of the problems in
/// which it is active, since a problem's Hessian has only its active rows.
struct HessianSample {
  const Rows& rows;
  std::span<const float> shares;  ///< one per own row
  double cost = 1;
  double bias = 0;     ///< appended to the rows unless 0
  double stretch = 0;  ///< less important rows are sampled, one per stretch of cumulated importance
  /// The importance of each own row; empty: its share.
  std::span<const float> importances = {};
  std::span<const double> centre = {};  ///< subtracted from sparse rows; empty: nothing

  std::size_t dimension() const noexcept { return rows.cols() + (bias != 0 ? 1 : 0); }
};

/// All important own rows and a stratified sample of the other rows, namely those at the drawn
/// places of the cumulated importances. Weights are 2C times the share that a row represents.
/// All ranks draw the same places. Collective.
std::vector<WeightedRow> choose_rows(const HessianSample& sample, Context& context);

/// Shares weighted by the length of rows: half of each share for the mean length, half in
/// proportion to |x|^2. Rows sampled in proportion to their squares give the products of all with
/// the least error (Drineas, Kannan and Mahoney, Fast Monte Carlo algorithms for matrices I, 2006),
/// and the other half limits the weights of short rows. For dense rows. Empty if a stop was
/// requested. Collective.
std::vector<float> row_importances(const HessianSample& sample, Context& context);

/// 2C times the weighted squares of each column, from all rows. Empty if a stop was requested.
/// Collective.
std::vector<double> column_squares(const HessianSample& sample, Context& context);

/// A fixed symmetric positive definite approximation of the inverse Hessians of all problems.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// out_c = M^-1 r_c for the live problems.
  virtual void apply(const Vectors<double>& r, std::span<const std::size_t> live,
                     Vectors<double>& out, Context& context) const = 0;
};

/// A preconditioner applied as the inverse of M's Cholesky factor, by two products with a triangle.
/// Made from products in float32 of a sample of the rows, with the exact diagonal of all rows. Null
/// if a stop was requested. Collective.
std::unique_ptr<Preconditioner> cholesky_preconditioner(const HessianSample& sample,
                                                        Context& context);

/// A preconditioner applied as the inverse of the matrix with lower triangle `m` and zeros above,
/// with its rows and columns multiplied by `scale` unless that is empty. If rounding makes it
/// indefinite, its diagonal is raised. Null if a stop was requested.
std::unique_ptr<Preconditioner> inverse_preconditioner(Vectors<float> m,
                                                       std::span<const double> scale,
                                                       Context& context);

/// Bytes needed while it is made, and afterwards.
std::size_t cholesky_bytes(std::size_t dimension, std::size_t threads) noexcept;
std::size_t cholesky_retained_bytes(std::size_t dimension) noexcept;

/// The vectors of the live problems, one after the other, in float32.
Vectors<float> rounded(const Vectors<double>& r, std::span<const std::size_t> live);

/// The multiply-adds of making a Cholesky preconditioner from this number of rows.
double cholesky_cost(double rows, std::size_t dimension) noexcept;

/// A preconditioner applied as the inverse of mu I + A^T A, where A has the sampled rows of M,
/// fewer than columns (Woodbury), with a separate term for their mean. It costs about as much as
/// the products of these rows with each other. mu is 1 if all rows are sampled, and larger
/// otherwise, to account for the omitted rows. In float32. Null if a stop was requested.
/// Collective.
std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       Context& context);

/// Bytes needed while it is made, and afterwards, with this number of sampled rows.
std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept;
std::size_t sampled_retained_bytes(std::size_t rows, std::size_t dimension) noexcept;

/// A preconditioner by M's diagonal. Null if a stop was requested. Collective.
std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context);

}  // namespace semblance::linear
