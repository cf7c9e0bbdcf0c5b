// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernel_machine.hpp"
#include "semblance/report.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/dual_solver.hpp"
#include "semblance_numerics/spectrum_repair.hpp"

namespace semblance::kernel {

/// A training, as the solver's parameters define it.
struct MachineTask {
  Similarity& kernel;         ///< bound to the layout of the samples
  std::vector<double> costs;  ///< C of each training sample
  bool one_versus_one = true;
  bool semidefinite = false;  ///< the kernel is positive semi-definite and needs no repair
  bool linear = false;  ///< the kernel is the inner product of rows that it stores (KeptBases)
  numerics::SpectrumRepair repair = numerics::SpectrumRepair::refuse;
  double negative_weight = 1;  ///< for the repair `krein`
  numerics::DualOptions options = {};
};

/// Trains a machine, makes its vectors the bases of the kernel, and reports. Collective.
KernelMachine train_machine(const MachineTask& task, const TrainingSet& training, Report& report,
                            Context& context);

}  // namespace semblance::kernel
