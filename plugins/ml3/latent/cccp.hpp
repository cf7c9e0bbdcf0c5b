// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "descent/descent.hpp"
#include "latent/evaluation.hpp"

namespace semblance::ml3 {

struct CccpOptions {
  double lambda = 1e-5;
  std::size_t iterations = 30;
  std::size_t epochs = 1;  ///< of the descent in each iteration
  std::size_t batch = 64;
  bool trace = false;  ///< evaluate the model after every iteration
  RandomWeights start = RandomWeights::one_model;
  std::size_t before = 0;  ///< iterations of the initial models: s0 has grown accordingly
};

/// One iteration. Iteration 0 is the start with random weights; without one it has no steps.
struct CccpIteration {
  DescentOutcome descent;
  std::size_t all_negative = 0;          ///< at its start; see own_weights()
  std::optional<Evaluation> evaluation;  ///< at its end
};

struct CccpResult {
  ModelMatrix w;                          ///< the average of the last iteration's iterates
  std::vector<CccpIteration> iterations;  ///< the finished ones
  std::optional<Evaluation> evaluation;   ///< of w; none after a stop
  bool stopped = false;
};

/// Algorithm 1 of ML3 with the start of section 4: a descent with random weights fixed for every
/// sample and class, then `iterations` descents, each with the optimal weights of the own classes
/// before it. s0 = 2 n `epochs` at first and grows by that amount each time. With initial models
/// `from` (not empty) the descent with random weights is omitted. Samples come in random order.
/// Only the last descent averages; a stopped descent returns its last iterate. Throws Error if W
/// overflows float.
CccpResult minimise(const Problem& problem, const PowerBall& ball, const CccpOptions& options,
                    Random random, const Surroundings& surroundings, ModelMatrix from = {});

}  // namespace semblance::ml3
