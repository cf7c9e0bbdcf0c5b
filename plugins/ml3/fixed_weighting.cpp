// SPDX-License-Identifier: MIT
#include "fixed_weighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::ml3 {

float weighted_sum(std::span<const float> weights, std::span<const float> z) {
  float sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum += weights[j] * z[j];
  return sum;
}

void FixedWeighting::score(const Sample& sample, std::span<const float> z) {
  const std::size_t m = problem_.models;
  scores_.assign(problem_.classes, 0);
  if (sample.values.size() == m) {
    // The sums of all classes at once, each in the order of weighted_sum().
    for (std::size_t j = 0; j < m; ++j) {
      const float weight = sample.values[j];
      if (weight == 0) continue;
      for (std::size_t y = 0; y < scores_.size(); ++y) scores_[y] += weight * z[y * m + j];
    }
  } else {
    for (std::size_t y = 0; y < scores_.size(); ++y)
      scores_[y] = weighted_sum(sample.values.subspan(y * m, m), z.subspan(y * m, m));
  }
}

Judgement FixedWeighting::judge(const Sample& sample, std::span<const float> z) {
  score(sample, z);
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < scores_.size(); ++y) {
    if (y == sample.label) {
      result.own_linear = result.own_score = scores_[y];
    } else if (scores_[y] > result.rival_score) {
      result.rival_score = scores_[y];
      result.rival = y;
    }
  }
  return result;
}

void FixedWeighting::weigh(const Sample& sample, std::span<const float>, std::size_t rival,
                           std::span<float> own_weights, std::span<float> rival_weights) const {
  const std::size_t label = sample.label;
  std::ranges::copy(class_weights(sample.values, problem_.models, label), own_weights.data());
  std::ranges::copy(class_weights(sample.values, problem_.models, rival), rival_weights.data());
}

}  // namespace semblance::ml3
