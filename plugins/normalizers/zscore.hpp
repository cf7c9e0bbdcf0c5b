// SPDX-License-Identifier: MIT
#pragma once

#include "affine.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// Subtracts each column's training mean and divides by its standard deviation.
class ZScore final : public AffineNormalizer {
 public:
  void fit(const TrainingSet& training, Context& context) override;
  static Declaration<ZScore> declare();

 protected:
  void check_keeps_zeros() const override;

 private:
  bool center_ = true;
  bool scale_columns_ = true;
};

}  // namespace semblance
