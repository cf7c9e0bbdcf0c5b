// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "class_problems.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

/// Refines a machine with a linear kernel: computes the gradients from the functions themselves,
/// sum_i b_i (x_i - centre) in double, since float32 kernel values lose their differences if
/// samples are far from 0 or columns have very different scales. Problems that are not optimal by
/// these gradients are solved further. The biases are those of the functions about the centre.
/// Collective.
void refine_linear(const TrainingSet& training, const SortedSamples& rows,
                   const ClassProblems& problems, const numerics::DualOptions& options,
                   std::size_t bytes, std::vector<numerics::DualSolution>& solutions,
                   Context& context);

}  // namespace semblance::kernel
