// SPDX-License-Identifier: MIT
#pragma once

#include "affine.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// Divides each column by its largest absolute value in training.
class MaxAbs final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MaxAbs> declare();
};

}  // namespace semblance
