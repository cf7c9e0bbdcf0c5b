// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// Sparse vectors with their zeros.
class Dense final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Dense> declare();
};

}  // namespace semblance
