// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/spectrum`: how far a similarity is from positive semi-definite on its bases.
class Spectrum final : public SampleEvaluator {
 public:
  static Declaration<Spectrum> declare();
  void evaluate(const TrainingSet& training, Report& report, Context& context) const override;

 private:
  double threshold_ = 1e-6;
};

}  // namespace semblance::evaluators
