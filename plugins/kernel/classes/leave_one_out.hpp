// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "classes/machine_training.hpp"
#include "cost_choice.hpp"

namespace semblance::kernel {

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

}  // namespace semblance::kernel
