// SPDX-License-Identifier: MIT
#pragma once

#include "affine.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// BE-SVM's normalization, eq. (4): the training mean is subtracted, then everything is divided by
/// the mean l2 norm of the centred training samples. One scale for all columns, which `length` may
/// multiply.
class MeanNorm final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MeanNorm> declare();

 private:
  double length_ = 1;
};

}  // namespace semblance
