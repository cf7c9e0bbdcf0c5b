// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/declaration.hpp"
#include "semblance/evaluator.hpp"

namespace semblance::evaluators {

/// `evaluator/spectrum`: the deviation of a similarity from positive semi-definiteness on its
/// bases.
class Spectrum final : public SampleEvaluator {
 public:
  static Declaration<Spectrum> declare();
  void evaluate(const TrainingSet& training, Report& report, Context& context) const override;

 private:
  std::string of_ = "symmetric_part";
  double threshold_ = 1e-6;
};

}  // namespace semblance::evaluators
