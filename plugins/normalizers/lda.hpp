// SPDX-License-Identifier: MIT
#pragma once

#include "projection.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// `normalizer/lda`: the separating coordinates in which classes have unit covariance.
class Lda final : public Projection {
 public:
  static Declaration<Lda> declare();

  void fit(const TrainingSet& training, Context& context) override;

 protected:
  std::size_t directions_for(std::size_t values) const override;

 private:
  std::int64_t components_ = 0;
  double regularization_ = 0.03;
};

}  // namespace semblance
