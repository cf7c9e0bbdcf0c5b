// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "descent/descent.hpp"
#include "latent/evaluation.hpp"

namespace semblance::ml3 {

struct PegasosOptions {
  double lambda = 1e-5;
  std::size_t epochs = 30;
  std::size_t batch = 64;
};

struct PegasosOutcome {
  std::vector<DescentOutcome> epochs;    ///< the finished ones
  std::optional<Evaluation> evaluation;  ///< of the result; none after a stop
  bool stopped = false;
};

struct PegasosResult : PegasosOutcome {
  ModelMatrix w;  ///< the average of the last epoch's iterates
};

/// Pegasos with the multiclass hinge loss: steps 1 / (lambda (s + 1)), the ball of radius sqrt(2 /
/// lambda), samples in random order. `weights` are those of FixedWeighting. A stopped descent
/// returns its last iterate.
PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings);

}  // namespace semblance::ml3
