// SPDX-License-Identifier: MIT
#pragma once

#include "product_bases.hpp"
#include "semblance/declaration.hpp"
#include "semblance/self_similarity.hpp"

namespace semblance {

/// s(b, x) = <b, x>.
class Linear final : public ProductBases, public SelfSimilarity {
 public:
  static Declaration<Linear> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;
  bool positive_semidefinite() const noexcept override { return true; }
  bool inner_product() const noexcept override { return !bf16(); }

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override {
    compare_range(in, 0, out, context);
  }
  bool compare_range(MatrixView in, std::size_t first, MutableMatrixView out,
                     Context& context) const override;
};

}  // namespace semblance
