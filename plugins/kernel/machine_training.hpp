// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel_machine.hpp"
#include "semblance/report.hpp"
#include "semblance_numerics/dual_solver.hpp"
#include "training_matrix.hpp"

namespace semblance::kernel {

/// A training, as the solver's parameters define it.
struct MachineTask : KernelTask {
  std::vector<double> costs;  ///< C of each training sample
  bool one_versus_one = true;
  numerics::DualOptions options = {};
};

/// Trains a machine, makes its vectors the bases of the kernel, and reports. Collective.
KernelMachine train_machine(const MachineTask& task, const TrainingSet& training, Report& report,
                            Context& context);

}  // namespace semblance::kernel
