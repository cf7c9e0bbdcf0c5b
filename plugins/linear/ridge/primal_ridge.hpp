// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "ridge/ridge_fit.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace semblance::linear {

/// Ridge regression by the products of columns: (Z^T Z + penalty I) W = Z^T T.
class PrimalRidge final : public RidgeFits {
 public:
  PrimalRidge(const RidgeData& data, Context& context);
  RidgeFit fit(double penalty, Context& context) override;
  const char* products_of() const noexcept override { return "columns"; }

 private:
  numerics::DefiniteFactor solve(RidgeFit& fit, Context& context);
  numerics::DefiniteFactor solve_by_triangle(RidgeFit& fit, Context& context);
  Vectors<double> refine(const numerics::DefiniteFactor& factor, RidgeFit& fit,
                         Context& context) const;
  void leave_out(const numerics::DefiniteFactor& factor, const Vectors<double>& residuals,
                 RidgeFit& fit, Context& context) const;
  void leave_out_plainly(std::size_t row, RidgeFit& fit, Context& context) const;

  const RidgeData& data_;
  Vectors<double> gram_;                           // the lower triangle of Z^T Z
  std::optional<numerics::RowTriangle> triangle_;  // of [Z T], where the factor of gram_ is inexact
};

}  // namespace semblance::linear
