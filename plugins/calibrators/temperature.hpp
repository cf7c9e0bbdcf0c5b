// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "semblance/calibrator.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

/// Two numbers that differ by this share of the larger one also differ in float32. A score closer
/// to the largest one could tie with it after rounding, and the first of two equal scores would be
/// the predicted class.
inline constexpr double float32_apart = 0x1p-22;

/// The lower limit of probabilities, so that they have a logarithm.
inline constexpr double least_probability = 0x1p-52;

/// p_c proportional to exp(s_c / temperature); if the scores are `probabilities`, s_c is ln p_c,
/// with p_c at least 2^-52, so that a temperature of 1 reproduces them. A unique largest score
/// gives a unique largest probability: no other comes closer than float32_apart.
void scaled_softmax(std::span<const float> scores, bool probabilities, double temperature,
                    std::span<float> out);

/// The same as a formula.
Formula::Value scaled_softmax(Formula& formula, Formula::Value scores, bool probabilities,
                              double temperature);

/// The maximum likelihood temperature (Guo et al., On calibration of modern neural networks, 2017),
/// within bounds.
struct FittedTemperature {
  double temperature = 1;
  enum class End {
    optimum,
    separated,  ///< all samples are right: chosen so that the mean confidence is (n + 1) / (n + 2)
    hopeless    ///< the scores are uninformative: so high that all probabilities are about equal
  } end = End::optimum;
};
FittedTemperature fit_temperature(const HeldOutScores& held_out, const Context& context);

}  // namespace semblance::calibrators
