// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "newton/gram.hpp"
#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// The input of M = I + 2C sum_i share_i x_i x_i^T. A row's share is the share of the problems in
/// which it is active, since a problem's Hessian has only its active rows.
struct HessianSample {
  const Rows& rows;
  std::span<const float> shares;  ///< one an own row
  double cost = 1;
  double bias = 0;     ///< appended to the rows unless 0
  double stretch = 0;  ///< less important rows are sampled, one per stretch of cumulated importance
  /// The importance of each own row; empty: its share.
  std::span<const float> importances = {};

  std::size_t dimension() const noexcept { return rows.cols() + (bias != 0 ? 1 : 0); }
};

/// All important own rows and a stratified sample of the other rows, namely those at the drawn
/// places of the cumulated importances. Weights are 2C times the share that a row represents.
/// Depends only on data common to all ranks; a part's rows depend only on its start. Collective.
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

}  // namespace semblance::linear
