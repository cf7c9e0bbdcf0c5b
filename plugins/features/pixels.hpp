// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/row_feature.hpp"

namespace semblance {

/// The pixel values themselves, as a vector.
class Pixels final : public RowFeature, public Exportable {
 public:
  Formula::Value write(Formula& formula, Formula::Value in) const override;
  static Declaration<Pixels> declare();

 private:
  Layout prepare(const Layout& input) override;
  void transform(std::span<const float> in, std::span<float> out) const override;

  double scale_ = 1.0 / 255;
  bool grey_ = false;
};

}  // namespace semblance
