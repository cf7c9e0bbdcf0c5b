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
  double cost = 1;            ///< C
  std::vector<double> costs;  ///< of each training sample
  /// Smaller costs to solve first, each as a share of `costs`; increasing. Not over ranks.
  std::vector<double> path = {};
  bool one_versus_one = true;
  numerics::DualOptions options = {};
};

/// Trains a machine for each cost of the path, and one for `costs`, which is the last one and the
/// one that it reports. All have the same vectors, which become the bases of the kernel. The
/// problems of a cost start from the solutions for the one before, and a kernel row is computed
/// once for all costs where the matrix fits into half of the memory. Collective.
std::vector<KernelMachine> train_machines(const MachineTask& task, const TrainingSet& training,
                                          Report& report, Context& context);

}  // namespace semblance::kernel
