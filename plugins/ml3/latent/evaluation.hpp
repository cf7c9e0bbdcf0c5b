// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "latent/power_ball.hpp"
#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// A model on all training samples.
struct Evaluation {
  double losses = 0;             ///< mean of the hinge losses of (9b), weighted
  double squared_norm = 0;       ///< |W|^2
  std::size_t errors = 0;        ///< rows whose first largest score is not their class's
  std::size_t all_negative = 0;  ///< rows whose own score is not positive

  /// lambda / 2 |W|^2 + mean loss: the objective of Algorithm 2.
  double objective(double lambda) const { return lambda / 2 * squared_norm + losses; }
};

/// Sums over the parts of the rows (RowParts), so it does not depend on the number of threads.
Evaluation evaluate(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                    const Surroundings& surroundings);

/// The score of a class from its models' products with a sample.
using SampleScore =
    std::function<float(std::size_t sample, std::size_t label, std::span<const float> z)>;

/// The same with scores other than ML3's.
Evaluation evaluate(const Problem& problem, const SampleScore& score, const ModelMatrix& w,
                    const Surroundings& surroundings);

/// Computes the weights of every sample's own class under `w` (one row each), which an iteration of
/// Algorithm 1 fixes. Returns the number of samples whose weights are all zero because no model of
/// the class is positive: these samples have no effect in the next iteration.
std::size_t own_weights(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                        const Surroundings& surroundings, FloatMatrix& weights);

}  // namespace semblance::ml3
