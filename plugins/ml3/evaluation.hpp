// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "power_ball.hpp"
#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// A model on all training rows, those of other ranks among them.
struct Evaluation {
  double losses = 0;             ///< mean of the hinge losses of (9b), weighted
  double squared_norm = 0;       ///< |W|^2
  std::size_t errors = 0;        ///< rows whose first largest score is not their class's
  std::size_t all_negative = 0;  ///< rows whose own score is not positive

  /// lambda / 2 |W|^2 + mean loss: what Algorithm 2 descends on.
  double objective(double lambda) const { return lambda / 2 * squared_norm + losses; }
};

/// Sums over the parts of the rows (RowParts), so it depends neither on the number of threads nor
/// on that of ranks. Collective.
Evaluation evaluate(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                    const Surroundings& surroundings);

/// The score of a class from the products of its models with a sample, an own row.
using SampleScore =
    std::function<float(std::size_t sample, std::size_t label, std::span<const float> z)>;

/// The same with other scores than ML3's.
Evaluation evaluate(const Problem& problem, const SampleScore& score, const ModelMatrix& w,
                    const Surroundings& surroundings);

/// The weights of every own row's class under `w` (one row each), which an iteration of Algorithm 1
/// keeps fixed. Returns how many are all zero, of all ranks' rows, because no model of the class is
/// positive: nothing pulls these samples back in the iteration to come. Collective.
std::size_t own_weights(const Problem& problem, const PowerBall& ball, const ModelMatrix& w,
                        const Surroundings& surroundings, FloatMatrix& weights);

}  // namespace semblance::ml3
