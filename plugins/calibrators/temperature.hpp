// SPDX-License-Identifier: MIT
#pragma once

#include "probability_calibrator.hpp"
#include "semblance/declaration.hpp"

namespace semblance::calibrators {

class Temperature final : public ProbabilityCalibrator {
 public:
  static Declaration<Temperature> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override;
  void map(std::span<const float> scores, std::span<float> probabilities) const override;

  double temperature_ = 1;
  bool of_probabilities_ = false;  ///< whether its input is already probabilities
};

}  // namespace semblance::calibrators
