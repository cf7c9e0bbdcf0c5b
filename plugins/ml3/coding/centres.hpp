// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "problem.hpp"
#include "semblance/random.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// k-means++ (Arthur and Vassilvitskii 2007): each row is drawn with a probability proportional to
/// its squared distance from the nearest row drawn before. The random numbers are those of this
/// thread's VLFeat stream, so the rows are those of VLFeat's own function, which cannot be stopped.
/// After a stop the missing rows are replaced by the first rows.
FloatMatrix spread_rows(const FloatMatrix& rows, std::size_t count, Context& context);

/// k-means (k-means++, then Lloyd's iterations) on at most 100 random samples per centre. Throws
/// Error if there are fewer samples than centres. A stop ends it with the centres so far. The
/// centres do not depend on the number of threads.
FloatMatrix k_means(const TrainingRows& rows, std::size_t centres, Random random, Context& context);

/// Summed over the differences, so that it is exact for points anywhere.
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
/// scaled to sum 1, and 0 for all other centres. A row equal to a centre has all weight there; ties
/// of distances go to the first centre.
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
