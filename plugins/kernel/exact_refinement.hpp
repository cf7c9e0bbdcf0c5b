// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "class_problems.hpp"
#include "sorted_samples.hpp"
#include "training_matrix.hpp"

namespace semblance::kernel {

/// The duals of a training, as refine() needs them.
struct RefinedDuals {
  std::size_t count;
  /// A problem with its labels, costs, linear terms and start.
  std::function<numerics::DualProblem(std::size_t problem)> outline;
  /// The place of the sample of a variable.
  std::function<std::size_t(std::size_t problem, std::size_t variable)> place;
  std::function<double(std::size_t problem)> tolerance;
  /// Solves some problems further, from these states; `known` are all solutions so far.
  std::function<std::vector<numerics::DualSolution>(InitialStates,
                                                    std::vector<numerics::DualSolution> known)>
      solve;
};

/// Refines solutions by gradients that are more exact than float32 kernel values allow: those of
/// linear functions are computed from their weights, about the samples' centre, and, if `plain`,
/// those of other kernels by their definition (Similarity::compare_plainly()), where that is a
/// small part of the training and the kernel matrix was not repaired. Problems that are not optimal
/// by these gradients are solved further, and the figures of all are those of these gradients, so
/// that their sensitivity is 0.
void refine(const KernelTask& task, bool plain, const TrainingSet& training,
            const SortedSamples& rows, const RefinedDuals& duals,
            const numerics::DualOptions& options, std::vector<numerics::DualSolution>& solutions,
            Context& context);

/// The duals of a classifier.
RefinedDuals refined_duals(const ClassProblems& problems, const numerics::DualOptions& options,
                           std::size_t bytes, Context& context);

}  // namespace semblance::kernel
