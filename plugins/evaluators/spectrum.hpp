// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/spectrum`: how far a similarity is from positive semi-definite on its bases.
class Spectrum final : public SampleEvaluator {
 public:
  static Declaration<Spectrum> declare();
  void evaluate(const TrainingSet& training, Report& report, Context& context) const override;

 private:
  std::string of_ = "symmetric_part";
  double threshold_ = 1e-6;
};

}  // namespace semblance::evaluators
