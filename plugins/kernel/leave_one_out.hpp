// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "cost_choice.hpp"
#include "machine_training.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

/// The leave-one-out errors of all costs of the task. The solutions of all samples decide most of
/// them, and a sample that they leave open is removed from these solutions, which are then solved
/// again. With y f(x) of the machine of all samples, its coefficient alpha, xi = max(0, 1 - y f(x))
/// and kernel values between -R^2 / 2 and R^2 / 2, the machine without x classifies x
///
/// - as the machine of all does, if alpha = 0: it is the same machine;
/// - wrongly, if y f(x) < 0: without the loss of x, y f(x) does not grow (two classes);
/// - rightly, if 2 alpha R^2 + xi < 1 (Joachims, Estimating the generalization performance of an
///   SVM efficiently, ICML 2000, theorem 1).
///
/// Solutions are as exact as the tolerance, so the last two bounds leave it as a margin. After a
/// stop request, the choice is among the costs done so far.
common::CostChoice choose_cost_leaving_one_out(const MachineTask& task, const TrainingSet& training,
                                               const SortedSamples& rows,
                                               const numerics::KernelSource& source,
                                               std::size_t bytes, Context& context);

}  // namespace semblance::kernel
