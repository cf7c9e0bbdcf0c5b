// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "classes/machine_training.hpp"
#include "cost_choice.hpp"

namespace semblance::kernel {

/// The costs to choose from if none are listed: decades from 0.01 to 1000, divided by the mean
/// similarity of a sample with itself, by weight. Lets the kernel learn from all samples.
std::vector<double> automatic_costs(const MachineTask& task, const SortedSamples& rows,
                                    Context& context);

/// Trains for all costs of the task on all folds but one, for each fold of `task.fold_of`, and
/// counts the errors on the fold. Held-out samples have the cost 0, so that all trainings are on
/// the same kernel matrix, `source`. Several folds at a time use at most `bytes`. After a stop
/// request, the choice is that of the folds done so far.
common::CostChoice choose_cost(const MachineTask& task, const SortedSamples& rows,
                               const numerics::KernelSource& source, std::size_t bytes,
                               Context& context);

/// The same with a kernel that learns from samples: from those of the other folds, for each fold.
common::CostChoice choose_cost_learning(const MachineTask& task, const SortedSamples& rows,
                                        Context& context);

}  // namespace semblance::kernel
