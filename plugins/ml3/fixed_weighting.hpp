// SPDX-License-Identifier: MIT
#pragma once

#include "weighting.hpp"

namespace semblance::ml3 {

/// Every sample has weights of its own that are the same for all classes and never change.
class FixedWeighting final : public Weighting {
 public:
  /// `weights`: a row a sample, problem.models columns.
  FixedWeighting(const Problem& problem, const FloatMatrix& weights)
      : problem_(problem), weights_(weights) {}
  Judgement judge(std::size_t sample, std::size_t position, std::span<const float> z,
                  std::span<float> own, std::span<float> rival) override;

 private:
  const Problem& problem_;
  const FloatMatrix& weights_;
};

/// weights . z, over the weights that are not 0.
float weighted_sum(std::span<const float> weights, std::span<const float> z);

}  // namespace semblance::ml3
