// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "descent.hpp"
#include "evaluation.hpp"
#include "fixed_weighting.hpp"

namespace semblance::ml3 {

struct PegasosOptions {
  double lambda = 1e-5;
  std::size_t epochs = 30;
  std::size_t batch = 64;
  /// Weighting::order()
  std::vector<std::uint32_t> order = {};
};

struct PegasosOutcome {
  std::vector<DescentOutcome> epochs;    ///< the finished ones
  std::optional<Evaluation> evaluation;  ///< of the result; none after a stop
  bool stopped = false;
};

struct PegasosResult : PegasosOutcome {
  ModelMatrix w;  ///< the average of the last epoch's iterates
};

/// The state of pegasos(): everything that its further steps depend on, except its arguments.
struct PegasosCourse {
  std::vector<DescentOutcome> epochs;  ///< the finished ones
  std::size_t next = 0;                ///< sample in the order of the present one
  DescentState descent;
};

void write(const PegasosCourse& course, StateWriter& to);
/// Reads a course; throws Error if it does not fit.
PegasosCourse read_course(const StateReader& from, const Problem& problem,
                          const PegasosOptions& options);

/// The starting point of pegasos(), and where it saves its state.
struct PegasosCheckpoint {
  /// The state to resume from, of the same problem, weights and options.
  const PegasosCourse* course = nullptr;
  /// Whether it is time to save, called once per 4096 samples; and the function that saves.
  /// Collective.
  std::function<bool()> due = [] { return false; };
  std::function<void(const PegasosCourse&)> keep = {};
};

/// Pegasos with the multiclass hinge loss: steps 1 / (lambda (s + 1)), the ball of radius sqrt(2 /
/// lambda), samples in random order. `weights` are those of FixedWeighting. A stopped descent
/// returns its last iterate. Resuming from a course gives the bits of an uninterrupted training.
/// Collective.
PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings, const PegasosCheckpoint& checkpoint = {});

}  // namespace semblance::ml3
