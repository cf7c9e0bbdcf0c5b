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

Judgement FixedWeighting::judge(const Sample& sample, std::span<const float> z,
                                std::span<float> own, std::span<float> rival) {
  const std::size_t m = problem_.models;
  const auto label = static_cast<std::size_t>(problem_.labels[sample.number]);
  const auto weights_of = [&](std::size_t y) { return class_weights(sample.values, m, y); };
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = weighted_sum(weights_of(y), z.subspan(y * m, m));
    if (y == label) {
      result.own_linear = result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  std::copy_n(weights_of(label).data(), m, own.data());
  std::copy_n(weights_of(result.rival).data(), m, rival.data());
  return result;
}

}  // namespace semblance::ml3
