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

/// How far Newton's method has come in a training that was cut off: the iterate as it was when the
/// step began, whose gradient is computed again, to the same bits, and what the step has come to.
struct NewtonProgress {
  NewtonSolution at;
  double start_norm = 0;
  GradientsState gradients;
};

/// Where a step began, besides what the solution is now: evaluating an iterate moves its bias.
struct StepStart {
  double bias = 0;
  double norm = 0;  ///< of the first gradient
};

/// `gradients` are the vectors and numbers of a GradientsState.
void write_progress(const NewtonSolution& now, const StepStart& start, std::size_t products,
                    const std::vector<std::span<const double>>& vectors,
                    std::span<const double> numbers, StateWriter& to);

/// Of a problem with so many weights, or pairs with a coefficient. Throws Error where the kept one
/// was another, or had another number of vectors or numbers.
NewtonProgress read_progress(const StateReader& from, std::size_t weights, std::size_t coefficients,
                             std::size_t vectors, std::size_t numbers);

/// Calls `read` where the checkpoint has kept something. False where there is nothing, or where it
/// throws Error on any rank. Collective.
bool go_on(Context& context, const std::function<void(const StateReader&)>& read);

}  // namespace semblance::pairwise
