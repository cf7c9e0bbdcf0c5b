// SPDX-License-Identifier: MIT
#pragma once

#include "hog_cells.hpp"
#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"

namespace semblance {

/// The 31-dimensional HOG of BE-SVM: one grid of cells an image, borders included.
class Hog final : public Feature {
 public:
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<Hog> declare();

 private:
  std::int64_t cell_ = 8;
  std::string orientation_ = "bilinear";
  HogShape shape_;
};

}  // namespace semblance
