// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "classes/cost_path.hpp"
#include "classes/machine_training.hpp"
#include "tuning/cost_choice.hpp"

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

/// The leave-one-out errors of all costs of the task. The solutions of all samples decide most of
/// them, and a sample that they leave open is removed from these solutions, which are then solved
/// again. The machine without x classifies x
///
/// - as the machine of all does, if x has the coefficient 0 and a free vector determines the bias:
///   it is the same machine;
/// - wrongly, if y f(x) < 0: without the loss of x, y f(x) does not grow (two classes).
///
/// No bound says that x stays right (Joachims 2000 has one): without x all vectors may be at their
/// bounds, as where both classes then have the same number of samples, and the bias is the middle
/// of an interval that the machine of all samples does not know.
///
/// Solutions are as exact as the tolerance. Where that leaves the sign of a decision open, the
/// machine is trained anew as one without the sample would be. After a stop request, the choice is
/// among the costs done so far.
common::CostChoice choose_cost_leaving_one_out(const MachineTask& task, const SortedSamples& rows,
                                               const numerics::KernelSource& source,
                                               std::size_t bytes, Context& context);

/// Fills `scores`, training samples x classes, with those that each sample gets from the machine
/// trained without it, by the solutions at a cost, with their gradients. Those that a solution of
/// all samples does not decide are solved again, as above. After a stop request it is incomplete.
void score_left_out(const PathSetting& path, double cost, const ClassProblems& problems,
                    const Solutions& solutions, MutableMatrixView scores, Report& report);

}  // namespace semblance::kernel
