// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "descent.hpp"
#include "evaluation.hpp"

namespace semblance::ml3 {

struct CccpOptions {
  double lambda = 1e-5;
  std::size_t iterations = 30;
  std::size_t epochs = 1;  ///< of the descent in each iteration
  std::size_t batch = 64;
  bool trace = false;  ///< evaluate the model after every iteration
  RandomWeights start = RandomWeights::one_model;
  std::size_t before = 0;  ///< iterations behind the models to go on from: s0 has grown by them
  /// What may be kept to save products, in bytes. The result does not depend on it.
  double screen_bytes = 0;
};

/// One iteration. Iteration 0 is the start with random weights; without one it has no steps.
struct CccpIteration {
  DescentOutcome descent;
  std::size_t all_negative = 0;          ///< at its beginning; see own_weights()
  std::optional<Evaluation> evaluation;  ///< at its end
};

struct CccpResult {
  ModelMatrix w;                          ///< the average of the last iteration's iterates
  std::vector<CccpIteration> iterations;  ///< the finished ones
  std::optional<Evaluation> evaluation;   ///< of w; nothing when stopped
  bool stopped = false;
  ScreenCounts screened;  ///< none where there was no memory for it
};

struct CccpCourse;

/// Where minimise() begins, and where it keeps how far it has come.
struct CccpCheckpoint {
  /// To go on from, if not null: of the same problem and options. Its models are taken.
  CccpCourse* course = nullptr;
  /// Whether it is time to keep, asked once in 4096 samples, and to keep. Collective.
  std::function<bool()> due = [] { return false; };
  std::function<void(const CccpCourse&)> keep = {};
};

/// Algorithm 1 of ML3 with the start of section 4: a descent with random weights fixed for every
/// sample and class, then `iterations` descents, each with the own classes' weights that were
/// optimal before it, s0 = 2 n `epochs` at first and that much more for each. With models to go on
/// `from` (not empty) the descent with random weights is left out. Samples come in random order.
/// Only the last descent averages; a descent that is stopped leaves its last iterate. Going on from
/// a course (and not `from` models) gives the bits of a training that was not cut off. Throws Error
/// when W leaves the range of float. Collective.
CccpResult minimise(const Problem& problem, const PowerBall& ball, const CccpOptions& options,
                    Random random, const Surroundings& surroundings, ModelMatrix from = {},
                    const CccpCheckpoint& checkpoint = {});

}  // namespace semblance::ml3
