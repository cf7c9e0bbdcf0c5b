// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/feature.hpp"
#include "sift_descriptors.hpp"

namespace semblance {

/// SIFT descriptors at given points of the image.
class SiftAtPoints final : public Feature {
 public:
  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  static Declaration<SiftAtPoints> declare();

 private:
  // Outer and inner corner of the left eye of the picture, inner and outer one of the right eye,
  // nostril, tip and nostril of the nose, corners of the mouth.
  std::vector<double> x_ = {0.18, 0.405, 0.56, 0.79, 0.38, 0.486, 0.585, 0.306, 0.676};
  std::vector<double> y_ = {0.43, 0.424, 0.424, 0.43, 0.629, 0.603, 0.629, 0.742, 0.742};
  std::vector<double> bins_ = {4, 6, 8};
  double smoothing_ = 1.0 / 6;
  Layout input_;
  std::vector<SiftPoint> places_;
};

}  // namespace semblance
