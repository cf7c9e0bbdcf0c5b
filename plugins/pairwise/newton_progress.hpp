// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "newton_solution.hpp"
#include "semblance/checkpoint.hpp"

namespace semblance::pairwise {

/// The conjugate gradients of a Newton step, after some products.
struct GradientsState {
  std::size_t products = 0;
  std::vector<std::vector<double>> vectors;
  std::vector<double> numbers;
};

/// The state of Newton's method in an interrupted training: the iterate at the start of the step,
/// whose gradient is recomputed with the same bits, and the step so far.
struct NewtonProgress {
  NewtonSolution at;
  double start_norm = 0;
  GradientsState gradients;
};

/// The start of a step, in addition to the current solution: evaluating an iterate moves its bias.
struct StepStart {
  double bias = 0;
  double norm = 0;  ///< of the first gradient
};

/// `gradients` are the vectors and numbers of a GradientsState.
void write_progress(const NewtonSolution& now, const StepStart& start, std::size_t products,
                    const std::vector<std::span<const double>>& vectors,
                    std::span<const double> numbers, StateWriter& to);

/// Reads the progress of a problem with this number of weights, or of pairs with a coefficient.
/// Throws Error if the saved one differs, or has another number of vectors or numbers.
NewtonProgress read_progress(const StateReader& from, std::size_t weights, std::size_t coefficients,
                             std::size_t vectors, std::size_t numbers);

/// Calls `read` if the checkpoint has a saved state. False if there is none or if it throws Error
/// on any rank. Collective.
bool go_on(Context& context, const std::function<void(const StateReader&)>& read);

}  // namespace semblance::pairwise
