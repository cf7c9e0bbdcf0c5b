// SPDX-License-Identifier: MIT
#pragma once

#include "product_bases.hpp"
#include "self_similarity.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// s(b, x) = <b, x>.
class Linear final : public ProductBases, public SelfSimilarity {
 public:
  static Declaration<Linear> declare();
  double operations() const noexcept override;
  void compare_with_itself(MatrixView rows, float* values) const override;

 private:
  void compare(MatrixView in, MutableMatrixView out, Context& context) const override;
};

}  // namespace semblance
