// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "probability_calibrator.hpp"
#include "semblance/declaration.hpp"
#include "sigmoid.hpp"

namespace semblance::calibrators {

class Platt final : public ProbabilityCalibrator {
 public:
  static Declaration<Platt> declare();
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void learn(const HeldOutScores& held_out, Report& report, Context& context) override;
  void map(std::span<const float> scores, std::span<float> probabilities) const override;

  std::vector<Sigmoid> sigmoids_;  ///< one per problem
};

}  // namespace semblance::calibrators
