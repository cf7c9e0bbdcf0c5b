// SPDX-License-Identifier: MIT
#pragma once

#include "kernel_functions.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// A training with the epsilon-insensitive loss, as the solver's parameters define it.
struct RegressionTask : KernelTask {
  double cost = 1;     ///< C
  double epsilon = 0;  ///< in the unit of the targets, as C
  /// Both are multiples of each target's mean absolute deviation from its median.
  bool relative = false;
  /// The tolerance is a share of each target's mean absolute deviation from its median.
  numerics::DualOptions options = {};
};

/// Learns each target number, and reports.
LearnedFunctions learn_numbers(const RegressionTask& task, const TrainingSet& training,
                               Report& report, Context& context);

}  // namespace semblance::kernel
