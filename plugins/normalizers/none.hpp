// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/normalizer.hpp"

namespace semblance {

/// Does not change rows: a replacement for a normalizer to measure its effect.
class NoNormalizer final : public Normalizer, public Exportable {
 public:
  Layout bind(const Layout& input) override { return input; }
  void fit(const TrainingSet&, Context&) override {}
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  Formula::Value write(Formula&, Formula::Value in) const override { return in; }
  static Declaration<NoNormalizer> declare();
};

}  // namespace semblance
