// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/class_problems.hpp"
#include "kernel/training_kernel.hpp"

namespace semblance::solvers {

/// The mean of dense training rows, in float32, where these are so far from 0 that inner products
/// about it are more exact than about 0: where its squared length is more than what rows have about
/// it on average. Else empty. Any such centre is as good for a machine whose bias
/// is free: it moves the bias alone. Collective.
std::vector<float> far_centre(const TrainingSet& training, Context& context);

/// Of a machine with a linear kernel: takes the gradients from the functions themselves,
/// sum_i b_i (x_i - centre) in double, since kernel values in float32 lose what they differ by
/// where rows are far from 0 or columns of very different size. Problems that are not optimal by
/// these are solved on from there. The biases are those of the function about the centre.
/// Collective.
void refine_linear(const TrainingSet& training, const SortedRows& rows,
                   const ClassProblems& problems, const numerics::DualOptions& options,
                   std::size_t bytes, SolvedProblems& solved, Context& context);

}  // namespace semblance::solvers
