// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "product_bases.hpp"
#include "semblance/declaration.hpp"
#include "semblance/self_similarity.hpp"

namespace semblance {

/// s(b, x) = exp(-gamma |b - x|^2).
class Rbf final : public ProductBases, public SelfSimilarity {
 public:
  static Declaration<Rbf> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  bool positive_semidefinite() const noexcept override { return true; }

 private:
  void learn(MatrixView bases) override;
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override {
    compare_range(in, 0, out, context);
  }
  bool compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const override;

  double gamma_ = 1;
  std::vector<float> norms_;  // squared, of the bases
};

}  // namespace semblance
