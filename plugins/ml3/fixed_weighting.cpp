// SPDX-License-Identifier: MIT
#include "fixed_weighting.hpp"

#include <limits>

namespace semblance::ml3 {

float weighted_sum(std::span<const float> weights, std::span<const float> z) {
  float sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum += weights[j] * z[j];
  return sum;
}

Judgement FixedWeighting::judge(std::size_t sample, std::size_t, std::span<const float> z,
                                std::span<float> own, std::span<float> rival) {
  const std::size_t m = problem_.models;
  const auto label = static_cast<std::size_t>(problem_.labels[sample]);
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = weighted_sum(weights_of(sample, y), z.subspan(y * m, m));
    if (y == label) {
      result.own_linear = result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  std::copy_n(weights_of(sample, label).data(), m, own.data());
  std::copy_n(weights_of(sample, result.rival).data(), m, rival.data());
  return result;
}

}  // namespace semblance::ml3
