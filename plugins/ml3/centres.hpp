// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <numeric>
#include <span>

#include "sampled_rows.hpp"
#include "semblance/random.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// k-means++ (Arthur and Vassilvitskii 2007): each of the rows chosen is drawn in proportion to its
/// squared distance from the nearest of those before. The random numbers are those of VLFeat's
/// stream of this thread, and so are the rows: its own function gives the same, but cannot be
/// stopped. After a stop the others are the first rows. Collective.
FloatMatrix spread_rows(const SampledRows& rows, std::size_t count, Context& context);

/// k-means (k-means++, then Lloyd's iterations) on at most 100 random rows a centre, of all ranks.
/// Sums go up the tree over the parts of the training rows, so the centres depend neither on
/// threads nor on ranks. Throws Error where there are fewer rows than centres. A stop ends it with
/// the centres so far. Collective.
FloatMatrix k_means(const TrainingRows& rows, std::size_t centres, Random random, Context& context);

/// Over the differences, so that it is exact wherever the points are.
inline float squared_distance(std::span<const float> a, const float* b) {
  constexpr std::size_t lanes = 8;
  float sums[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= a.size(); k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const float d = a[k + l] - b[k + l];
      sums[l] += d * d;
    }
  for (; k < a.size(); ++k) sums[0] += (a[k] - b[k]) * (a[k] - b[k]);
  return std::accumulate(sums, sums + lanes, 0.0f);
}

/// The weights of LLSVM: inverse Euclidean distances to the nearest `neighbours` of the centres,
/// scaled to sum 1, and 0 for the others. A row that is a centre has all weight there; between
/// equal distances the first centre is nearer.
class InverseDistances {
 public:
  InverseDistances() = default;
  InverseDistances(FloatMatrix centres, std::size_t neighbours)
      : centres_(std::move(centres)), neighbours_(neighbours) {}

  const FloatMatrix& centres() const noexcept { return centres_; }
  void weights(std::span<const float> row, std::span<float> weights) const;

 private:
  FloatMatrix centres_;
  std::size_t neighbours_ = 0;
};

}  // namespace semblance::ml3
