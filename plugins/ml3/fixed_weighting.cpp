// SPDX-License-Identifier: MIT
#include "fixed_weighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace semblance::ml3 {

namespace {

/// At least the Euclidean norm.
double norm(std::span<const float> x) {
  double sum = 0;
  for (const float v : x) sum += double{v} * double{v};
  return std::sqrt(sum) * (1 + 1e-9);
}

}  // namespace

float weighted_sum(std::span<const float> weights, std::span<const float> z) {
  float sum = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0) sum += weights[j] * z[j];
  return sum;
}

void FixedWeighting::score(const Sample& sample, std::span<const float> z, Classes classes) {
  const std::size_t m = problem_.models;
  scores_.assign(classes.size(), 0);
  if (sample.values.size() == m) {
    // The sums of all classes at once, each in the order of weighted_sum().
    for (std::size_t j = 0; j < m; ++j) {
      const float weight = sample.values[j];
      if (weight == 0) continue;
      for (std::size_t i = 0; i < classes.size(); ++i) scores_[i] += weight * z[classes[i] * m + j];
    }
  } else {
    for (std::size_t i = 0; i < classes.size(); ++i)
      scores_[i] =
          weighted_sum(sample.values.subspan(classes[i] * m, m), z.subspan(classes[i] * m, m));
  }
}

Judgement FixedWeighting::judge(const Sample& sample, std::span<const float> z, Classes classes) {
  score(sample, z, classes);
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == sample.label) {
      result.own_linear = result.own_score = scores_[i];
    } else if (scores_[i] > result.rival_score) {
      result.rival_score = scores_[i];
      result.rival = classes[i];
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

double FixedWeighting::most(const Sample& sample, std::size_t label, std::span<const float> z,
                            std::span<const float> error) const {
  return most_sum(class_weights(sample.values, problem_.models, label), z, error);
}

double FixedWeighting::least_own(const Sample& sample, std::span<const float> z,
                                 std::span<const float> error) const {
  const std::size_t label = sample.label;
  return least_sum(class_weights(sample.values, problem_.models, label), z, error);
}

Reach FixedWeighting::reach(std::span<const float> change) const {
  const double length = norm(change);
  return {length, length};
}

double FixedWeighting::spread(const Sample& sample) const { return norm(sample.values); }

}  // namespace semblance::ml3
