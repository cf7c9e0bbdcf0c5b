// SPDX-License-Identifier: MIT
#include "latent/weighting.hpp"

#include <algorithm>
#include <limits>

#include "latent/class_kernels.hpp"

namespace semblance::ml3 {
float LatentWeighting::score(std::span<const float> z, std::size_t label) const {
  return ball_.score(z.subspan(label * problem_.models, problem_.models));
}

Judgement LatentWeighting::judge(const Sample& sample, std::span<const float> z) {
  const std::size_t m = problem_.models;
  const std::size_t label = sample.label;
  Judgement result;
  result.own_linear = dot(sample.values.data(), z.data() + label * m, m);
  ball_.compare(z, m, compared_);
  // The own score is at least own_linear, up to rounding of both and of the other scores.
  const double wrong = ball_.score_error(m);
  const double limit = (double{result.own_linear} - 1) - wrong * (1 + double{result.own_linear});
  bool passes = limit > 0;
  const double least = passes ? ball_.least_sum(compared_, limit) : 0;
  for (std::size_t y = 0; passes && y < problem_.classes; ++y)
    passes = y == label || double{compared_.sums[y]} < least;
  result.own_score = result.own_linear;
  result.rival_score = -1;  // below every score
  if (!passes) find_rival(label, z, result);
  return result;
}

void LatentWeighting::find_rival(std::size_t label, std::span<const float> z,
                                 Judgement& result) const {
  std::size_t likely = label == 0 ? 1 : 0;
  for (std::size_t y = likely + 1; y < problem_.classes; ++y)
    if (y != label && compared_.sums[y] > compared_.sums[likely]) likely = y;
  const float likely_score = score(z, likely);
  const double least = ball_.least_sum(compared_, double{likely_score});
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    if (y == label || (y != likely && double{compared_.sums[y]} < least)) continue;
    const float score = y == likely ? likely_score : this->score(z, y);
    if (score <= result.rival_score) continue;
    result.rival_score = score;
    result.rival = y;
  }
  result.own_score = PowerBall::least_score(z.subspan(label * problem_.models, problem_.models));
  if (!(double{result.own_score} - double{result.rival_score} > 1))
    result.own_score = score(z, label);
}

void LatentWeighting::weigh(const Sample& sample, std::span<const float> z, std::size_t rival,
                            std::span<float> own_weights, std::span<float> rival_weights) const {
  const std::size_t m = problem_.models;
  ball_.weights(z.subspan(rival * m, m), rival_weights);
  std::ranges::copy(sample.values, own_weights.data());
}

void RandomWeighting::prepare(std::span<const std::uint32_t> samples) {
  const std::size_t m = problem_.models, size = problem_.model_rows();
  drawn_.resize(samples.size() * size);
  surroundings_.parallel_for(samples.size(), [&](std::size_t i) {
    Random random = Random::stream(seed_, samples[i]);
    for (std::size_t y = 0; y < problem_.classes; ++y)
      draw(random, {drawn_.data() + i * size + y * m, m});
  });
}

void RandomWeighting::draw(Random& random, std::span<float> weights) const {
  if (weights_ == RandomWeights::mixture) return ball_.draw(random, weights);
  std::fill(weights.begin(), weights.end(), 0.0F);
  weights[random.below(weights.size())] = 1;
}

std::span<const float> RandomWeighting::weights(const Sample& sample, std::size_t label) const {
  const std::size_t m = problem_.models;
  return {drawn_.data() + sample.position * problem_.model_rows() + label * m, m};
}

Judgement RandomWeighting::judge(const Sample& sample, std::span<const float> z) {
  const std::size_t m = problem_.models;
  const std::size_t label = sample.label;
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = dot(weights(sample, y).data(), z.data() + y * m, m);
    if (y == label) {
      result.own_linear = result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  return result;
}

void RandomWeighting::weigh(const Sample& sample, std::span<const float>, std::size_t rival,
                            std::span<float> own_weights, std::span<float> rival_weights) const {
  const std::size_t label = sample.label;
  std::ranges::copy(weights(sample, label), own_weights.data());
  std::ranges::copy(weights(sample, rival), rival_weights.data());
}

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
