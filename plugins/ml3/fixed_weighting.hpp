// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "descent.hpp"
#include "evaluation.hpp"
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

struct FixedOptions {
  double lambda = 1e-5;
  std::size_t epochs = 30;
  std::size_t batch = 64;
};

struct FixedResult {
  ModelMatrix w;                         ///< the average of the last epoch's iterates
  std::vector<DescentOutcome> epochs;    ///< the finished ones
  std::optional<Evaluation> evaluation;  ///< of w; nothing when stopped
  bool stopped = false;
};

/// Pegasos with the multiclass hinge loss: steps 1 / (lambda (s + 1)), the ball of radius
/// sqrt(2 / lambda), samples in random order. A descent that is stopped leaves its last iterate.
FixedResult minimise_fixed(const Problem& problem, const FloatMatrix& weights,
                           const FixedOptions& options, Random random,
                           const Surroundings& surroundings);

}  // namespace semblance::ml3
