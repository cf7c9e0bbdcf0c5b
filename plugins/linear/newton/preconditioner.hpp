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
  double bias = 0;                      ///< appended to the rows unless 0
  std::span<const double> centre = {};  ///< subtracted from sparse rows; empty: nothing

  std::size_t dimension() const noexcept { return rows.cols() + (bias != 0 ? 1 : 0); }
};

/// Some of the dense own rows. Weights are 2C times the share that a row represents.
struct ChosenRows {
  std::vector<WeightedRow> rows;
  bool all = true;  ///< all rows with a share, of all ranks
};

/// About `wanted` rows of all ranks: the important ones and a stratified sample of the others,
/// namely those at drawn places of the cumulated importances. A row's importance is its share
/// weighted by its length: half of it for the mean length, half in proportion to |x|^2. Rows
/// sampled in proportion to their squares give the products of all with the least error (Drineas,
/// Kannan and Mahoney, Fast Monte Carlo algorithms for matrices I, 2006), and the other half limits
/// the weights of short rows. No rows if a stop was requested. Collective.
ChosenRows choose_rows(const HessianSample& sample, std::size_t wanted, Context& context);

/// A fixed symmetric positive definite approximation of the inverse Hessians of all problems.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  /// out_c = M^-1 r_c for the live problems.
  virtual void apply(const Vectors<double>& r, std::span<const std::size_t> live,
                     Vectors<double>& out, Context& context) const = 0;
};

/// A preconditioner applied as the inverse of mu I + A^T A, where A has about `wanted` rows of M
/// (Woodbury), with a separate term for their mean. It costs about as much as the products of these
/// rows with each other. mu is 1 if all rows are sampled, and larger otherwise, to account for the
/// omitted rows. In float32, of dense rows. Null if a stop was requested. Collective.
std::unique_ptr<Preconditioner> sampled_preconditioner(const HessianSample& sample,
                                                       std::size_t wanted, Context& context);

/// Bytes needed while it is made, and afterwards, with this number of sampled rows.
std::size_t sampled_bytes(std::size_t rows, std::size_t dimension, std::size_t threads) noexcept;
std::size_t sampled_retained_bytes(std::size_t rows, std::size_t dimension) noexcept;

/// A preconditioner by M's diagonal, of sparse rows. Null if a stop was requested.
std::unique_ptr<Preconditioner> diagonal_preconditioner(const HessianSample& sample,
                                                        Context& context);

}  // namespace semblance::linear
