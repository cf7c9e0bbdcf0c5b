// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "class_problems.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

/// The mean of dense training samples, in float32, if they are so far from 0 that inner products
/// about the mean are more exact than about 0: if its squared length exceeds the mean squared
/// length of the centred samples. Else empty. A machine with a free bias does not depend on the
/// centre, which only moves the bias. Collective.
std::vector<float> far_centre(const TrainingSet& training, Context& context);

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
