// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::solvers {

/// What M = I + 2C sum_i share_i x_i x_i^T is made of; a row enters with the share of the problems
/// in which it is active, since the Hessian of one problem has its active rows only.
struct HessianSample {
  const Rows& rows;
  std::span<const float> shares;  ///< one an own row
  double cost = 1;
  double bias = 0;     ///< appended to the rows unless 0
  double stretch = 0;  ///< rows that matter less are sampled, one a stretch of what they matter
  /// How much a row matters, one an own row; empty: as much as its share.
  std::span<const float> importances = {};

  std::size_t dimension() const noexcept { return rows.cols() + (bias != 0 ? 1 : 0); }
};

/// Own rows that matter much as they are; of the others a stratified sample, those where a place in
/// the cumulated importances lies. Weights are 2C times the share that a row stands for. Depends on
/// nothing but what all ranks have: a part's rows only on where it begins. Collective.
std::vector<WeightedRow> choose_rows(const HessianSample& sample, Context& context);

/// Shares times how long a row is: half of each as if all were as long as the mean, half in
/// proportion to |x|^2. Rows sampled in proportion to their squares give the products of all with
/// the least error (Drineas, Kannan and Mahoney, Fast Monte Carlo algorithms for matrices I, 2006),
/// and the other half keeps the weights of short rows small. For dense rows. Empty when a stop was
/// requested. Collective.
std::vector<float> row_importances(const HessianSample& sample, Context& context);

/// 2C times the weighted squares of each column, from all rows. Empty when a stop was requested.
/// Collective.
std::vector<double> column_squares(const HessianSample& sample, Context& context);

}  // namespace semblance::solvers
