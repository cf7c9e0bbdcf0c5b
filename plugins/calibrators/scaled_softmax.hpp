// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/calibrator.hpp"

namespace semblance::calibrators {

/// Probabilities count as no less, so that they have a logarithm.
inline constexpr double least_probability = 0x1p-52;

/// p_c proportional to exp(s_c / temperature); where the scores are `probabilities` s_c is ln p_c,
/// of p_c no less than 2^-52, so that a temperature of 1 gives them back. Where only
/// one score is the largest, so is its probability: none comes closer than float32_apart.
void scaled_softmax(std::span<const float> scores, bool probabilities, double temperature,
                    std::span<float> out);

/// The temperature at which the true classes are likeliest (Guo et al., On calibration of modern
/// neural networks, 2017), between bounds.
struct FittedTemperature {
  double temperature = 1;
  enum class End {
    optimum,
    separated,  ///< every row is right: it is such that they are right with (n + 1) / (n + 2)
    hopeless    ///< the scores say nothing about the classes: so high that all are about equal
  } end = End::optimum;
};
FittedTemperature fit_temperature(const HeldOutScores& held_out, const Context& context);

}  // namespace semblance::calibrators
