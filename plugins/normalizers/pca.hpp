// SPDX-License-Identifier: MIT
#pragma once

#include "projection.hpp"
#include "semblance/declaration.hpp"

namespace semblance {

/// `normalizer/pca`: coordinates along the principal axes of the training samples.
class Pca final : public Projection {
 public:
  static Declaration<Pca> declare();

  void fit(const TrainingSet& training, Context& context) override;

 protected:
  std::size_t directions_for(std::size_t values) const override;

 private:
  std::int64_t components_ = 0;
  double whiten_ = 0;
  std::int64_t iterations_ = 2;
  std::int64_t oversampling_ = 40;
};

}  // namespace semblance
