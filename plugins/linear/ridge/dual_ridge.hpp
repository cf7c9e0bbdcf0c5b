// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ridge/primal_ridge.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace semblance::linear {

/// Ridge regression by the products of rows, for few samples of many columns: W = C Z with (Z Z^T +
/// penalty I) C^T = T.
///
/// The columns of Z and T are orthogonal to u = sqrt(w / sum w), as they are centred. The matrix
/// has another term, m u u^T, that changes no C but gives its inverse the size of the rest along u,
/// from which leave-one-out errors subtract that part.
///
/// Products of rows lose the digits of columns whose scale is small, beside a small penalty. Such
/// fits are made in the primal, where each column keeps its own digits, unless there are many.
class DualRidge final : public RidgeFits {
 public:
  DualRidge(const RidgeData& data, Context& context);
  RidgeFit fit(double penalty, Context& context) override;
  RidgeFit trial(double penalty, Context& context) override;
  void add_weights(RidgeFit& trial, Context& context) const override;
  const char* products_of() const noexcept override { return "rows"; }

 private:
  bool few_columns() const noexcept;
  Vectors<double> times_gram(const Vectors<double>& factors) const;
  RidgeFit fit_rows(double penalty, Context& context);
  numerics::DefiniteFactor factor(double penalty, Context& context);
  numerics::DefiniteFactor factor_of_triangle(double penalty, Context& context);
  void leave_out(std::span<const double> diagonal, const Vectors<double>& coefficients,
                 RidgeFit& fit) const;

  const RidgeData& data_;
  std::vector<double> unit_;                       // u
  double extra_ = 0;                               // m
  Vectors<double> gram_;                           // the lower triangle of Z Z^T + m u u^T
  std::optional<numerics::RowTriangle> triangle_;  // of the columns of Z, and of sqrt(m) u
  std::optional<PrimalRidge> primal_;              // where products of rows hide small columns
};

}  // namespace semblance::linear
