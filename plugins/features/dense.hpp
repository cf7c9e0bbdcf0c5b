// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "semblance/formula.hpp"

namespace semblance {

/// Sparse vectors with their zeros.
class Dense final : public Feature, public Exportable {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  Formula::Value write(Formula&, Formula::Value in) const override { return in; }
  static Declaration<Dense> declare();
};

}  // namespace semblance
