// SPDX-License-Identifier: MIT
#include "weighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "class_kernels.hpp"

namespace semblance::ml3 {
namespace {

/// The sum weights . z, its possible error, and the rounding of that error.
struct SumBounds {
  double sum = 0;
  double error = 0;
};

SumBounds bound_sum(std::span<const float> weights, std::span<const float> z,
                    std::span<const float> error) {
  const WeightedSums sums = weighted_sums(weights.data(), z.data(), error.data(), weights.size());
  // The rounding of this sum, of another sum, and of the weights' norm, which should be 1.
  const double slack = (double(weights.size()) + 64) * 0x1p-21;
  const double wrong = double{sums.error};
  return {double{sums.sum}, wrong + slack * (double{sums.magnitude} + wrong)};
}

}  // namespace

double least_sum(std::span<const float> weights, std::span<const float> z,
                 std::span<const float> error) {
  const SumBounds bounds = bound_sum(weights, z, error);
  return bounds.sum - bounds.error;
}

double most_sum(std::span<const float> weights, std::span<const float> z,
                std::span<const float> error) {
  const SumBounds bounds = bound_sum(weights, z, error);
  return bounds.sum + bounds.error;
}

float LatentWeighting::score(std::span<const float> z, std::size_t label) const {
  return ball_.score(z.subspan(label * problem_.models, problem_.models));
}

Judgement LatentWeighting::judge(const Sample& sample, std::span<const float> z, Classes classes) {
  const std::size_t m = problem_.models;
  const std::size_t label = sample.label;
  Judgement result;
  result.own_linear = dot(sample.values.data(), z.data() + label * m, m);
  ball_.compare(z, m, classes, compared_);
  // The own score is at least own_linear, up to rounding of both and of the other scores.
  const double wrong = ball_.score_error(m);
  const double limit = (double{result.own_linear} - 1) - wrong * (1 + double{result.own_linear});
  bool passes = limit > 0;
  const double least = passes ? ball_.least_sum(compared_, limit) : 0;
  for (std::size_t i = 0; passes && i < classes.size(); ++i)
    passes = classes[i] == label || double{compared_.sums[i]} < least;
  result.own_score = result.own_linear;
  result.rival_score = -1;  // below every score
  if (!passes) find_rival(label, z, classes, result);
  return result;
}

void LatentWeighting::find_rival(std::size_t label, std::span<const float> z, Classes classes,
                                 Judgement& result) const {
  std::size_t likely = classes.front() == label ? 1 : 0;
  for (std::size_t i = likely + 1; i < classes.size(); ++i)
    if (classes[i] != label && compared_.sums[i] > compared_.sums[likely]) likely = i;
  const float likely_score = score(z, classes[likely]);
  const double least = ball_.least_sum(compared_, double{likely_score});
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::size_t y = classes[i];
    if (y == label || (i != likely && double{compared_.sums[i]} < least)) continue;
    const float score = i == likely ? likely_score : this->score(z, y);
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

double LatentWeighting::most(const Sample&, std::size_t, std::span<const float> z,
                             std::span<const float> error) const {
  return ball_.most_score(z, error);
}

double LatentWeighting::least_own(const Sample& sample, std::span<const float> z,
                                  std::span<const float> error) const {
  return least_sum(sample.values, z, error);
}

Reach LatentWeighting::reach(std::span<const float> change) const {
  std::vector<float> signed_change(change.begin(), change.end());
  const std::vector<float> exact(change.size());
  Reach result;
  result.up = ball_.most_score(signed_change, exact);
  for (float& value : signed_change) value = -value;
  result.down = ball_.most_score(signed_change, exact);
  return result;
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

Judgement RandomWeighting::judge(const Sample& sample, std::span<const float> z, Classes classes) {
  const std::size_t m = problem_.models;
  const std::size_t label = sample.label;
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (const std::uint32_t y : classes) {
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

}  // namespace semblance::ml3
