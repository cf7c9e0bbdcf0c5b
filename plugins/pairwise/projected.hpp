// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/pair_kernel.hpp"

namespace semblance::pairwise {

/// `pair_kernel/projected`: K(P(a, b), P(c, d)) for a pair kernel K and a projection P of pairs,
/// P_ML(a, b) = 1/2 (a - b, b - a) if K is even (Theorem 2), or P_SD(a, b) = 1/2 (a + b, a + b).
class Projected final : public PairKernel {
 public:
  static Declaration<Projected> declare();

  void check_parameters() const override;
  Similarity& standard_kernel() const noexcept override { return of_->standard_kernel(); }
  double evaluate(const StandardKernelValues& k) const noexcept override;
  void evaluate_columns(const StandardKernelColumns& k, float* out) const noexcept override;
  bool symmetric() const noexcept override { return true; }
  bool even() const noexcept override { return of_->even(); }

 private:
  bool difference() const noexcept { return projection_ == "difference"; }

  std::unique_ptr<PairKernel> of_;
  std::string projection_ = "difference";
};

}  // namespace semblance::pairwise
