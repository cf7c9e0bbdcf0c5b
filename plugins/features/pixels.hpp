// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// The pixel values themselves, as a vector.
class Pixels final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Pixels> declare();

 private:
  double scale_ = 1.0 / 255;
  bool grey_ = false;
  Layout input_;
};

}  // namespace semblance
