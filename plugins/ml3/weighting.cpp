// SPDX-License-Identifier: MIT
#include "weighting.hpp"

#include <algorithm>
#include <limits>

namespace semblance::ml3 {
namespace {

float dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

Judgement LatentWeighting::judge(const Sample& sample, std::span<const float> z,
                                 std::span<float> own, std::span<float> rival) {
  const std::size_t m = problem_.models;
  const auto label = static_cast<std::size_t>(problem_.labels[sample.number]);
  Judgement result;
  result.rival_score = -1;  // below every score
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = ball_.score(z.subspan(y * m, m));
    if (y == label) {
      result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  result.rival_score = ball_.weights(z.subspan(result.rival * m, m), rival);
  std::ranges::copy(sample.values, own.data());
  result.own_linear = dot(own, z.subspan(label * m, m));
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

Judgement RandomWeighting::judge(const Sample& sample, std::span<const float> z,
                                 std::span<float> own, std::span<float> rival) {
  const std::size_t m = problem_.models;
  const auto label = static_cast<std::size_t>(problem_.labels[sample.number]);
  const auto weights = [&](std::size_t y) {
    return std::span<const float>(drawn_.data() + sample.position * problem_.model_rows() + y * m,
                                  m);
  };
  Judgement result;
  result.rival_score = -std::numeric_limits<float>::infinity();
  for (std::size_t y = 0; y < problem_.classes; ++y) {
    const float score = dot(weights(y), z.subspan(y * m, m));
    if (y == label) {
      result.own_linear = result.own_score = score;
    } else if (score > result.rival_score) {
      result.rival_score = score;
      result.rival = y;
    }
  }
  std::copy_n(weights(label).data(), m, own.data());
  std::copy_n(weights(result.rival).data(), m, rival.data());
  return result;
}

}  // namespace semblance::ml3
