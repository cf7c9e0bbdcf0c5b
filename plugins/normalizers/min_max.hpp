// SPDX-License-Identifier: MIT
#pragma once

#include "affine.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// Maps each column's training range to [low, high].
class MinMax final : public AffineNormalizer {
 public:
  void check_parameters() const override;
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<MinMax> declare();

 private:
  float shift() const override { return static_cast<float>(low_); }

  double low_ = 0;
  double high_ = 1;
};

}  // namespace semblance
