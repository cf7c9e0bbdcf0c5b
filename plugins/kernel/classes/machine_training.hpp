// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "classes/class_problems.hpp"
#include "expansion/machine_vectors.hpp"
#include "semblance/report.hpp"

namespace semblance::kernel {

/// A training, as the solver's parameters define it.
struct MachineTask : KernelTask {
  /// C; several increase, and are solved one after the other. With `fold_of` or
  /// `leave_one_out`, those to choose from; empty: automatic ones.
  std::vector<double> costs{1};
  std::vector<double> weights = {};  ///< of each training sample, for its C; empty: 1
  /// The weights if only these samples train, where they depend on that (class_weights.hpp); empty:
  /// they do not.
  std::function<std::vector<double>(std::span<const char> trains)> weights_of = {};
  bool one_versus_one = true;
  numerics::DualOptions options = {};  ///< with gradients where there are several costs
  /// The fold of each training sample, to choose C by cross-validation; empty: C is given.
  std::vector<std::size_t> fold_of = {};
  bool leave_one_out = false;  ///< or hold out each sample alone; not with a kernel that learns
  MutableMatrixView left_out = {};  ///< to be filled by score_left_out(); no rows: not asked for
  bool kernel_learns = false;       ///< whether the kernel learns from samples (LearnsFromSamples)

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// Trains a machine for each cost, and reports the last one. All have the same vectors, which
/// become the bases of the kernel. The problems of a cost start from the solutions for the one
/// before, and a kernel row is computed once for all costs where the matrix fits into half of the
/// memory. If C is to be chosen, reports the choice, and trains the machine of the chosen cost.
std::vector<LearnedFunctions> train_machines(MachineTask task, const TrainingSet& training,
                                             Report& report, Context& context);

}  // namespace semblance::kernel
