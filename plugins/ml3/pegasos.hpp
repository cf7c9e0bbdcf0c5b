// SPDX-License-Identifier: MIT
#pragma once

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
  /// What may be kept to save products, in bytes. The result does not depend on it.
  double screen_bytes = 0;
};

struct PegasosOutcome {
  std::vector<DescentOutcome> epochs;    ///< the finished ones
  std::optional<Evaluation> evaluation;  ///< of the result; nothing when stopped
  bool stopped = false;
  ScreenCounts screened;  ///< none where there was no memory for it
};

struct PegasosResult : PegasosOutcome {
  ModelMatrix w;  ///< the average of the last epoch's iterates
};

/// How far pegasos() has come: all that what follows depends on, but for its arguments.
struct PegasosCourse {
  std::vector<DescentOutcome> epochs;  ///< the finished ones
  std::size_t next = 0;                ///< sample in the order of the present one
  DescentState descent;
};

void write(const PegasosCourse& course, StateWriter& to);
/// Throws Error where it does not fit.
PegasosCourse read_course(const StateReader& from, const Problem& problem,
                          const PegasosOptions& options);

/// Where pegasos() begins, and where it keeps how far it has come.
struct PegasosCheckpoint {
  /// To go on from: of the same problem, weights and options.
  const PegasosCourse* course = nullptr;
  /// Whether it is time to keep, asked once in 4096 samples, and to keep. Collective.
  std::function<bool()> due = [] { return false; };
  std::function<void(const PegasosCourse&)> keep = {};
};

/// Pegasos with the multiclass hinge loss: steps 1 / (lambda (s + 1)), the ball of radius
/// sqrt(2 / lambda), samples in random order. `weights` are those of FixedWeighting. A descent that
/// is stopped leaves its last iterate. Going on from a course gives the bits of a training that was
/// not cut off. Collective.
PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings, const PegasosCheckpoint& checkpoint = {});

}  // namespace semblance::ml3
