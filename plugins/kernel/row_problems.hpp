// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "class_problems.hpp"
#include "semblance_numerics/dual_solver.hpp"
#include "sorted_samples.hpp"
#include "training_matrix.hpp"

namespace semblance::kernel {

/// A dual whose variables are all rows of the kernel matrix, or all of them twice
/// (DualProblem::mirrored): the parts and kernel rows are set by solve_each().
struct RowProblem {
  numerics::DualProblem dual;
  double tolerance;
};

/// Solves problems on the same kernel matrix one after another; they share its cached rows. At most
/// `bytes` are used. Throws Error with the arithmetic if not even a few kernel rows fit. The bits
/// depend neither on `bytes` nor on the number of threads. With `states`, solves only those
/// problems, from these starting points; `known` are the solutions of the others.
std::vector<numerics::DualSolution> solve_each(const numerics::KernelSource& source,
                                               std::size_t rows, std::vector<RowProblem> problems,
                                               numerics::DualOptions options, std::size_t bytes,
                                               Context& context, const InitialStates& states = {},
                                               std::vector<numerics::DualSolution> known = {});

/// The memory left of the budget beside the samples and the kernel matrix.
std::size_t bytes_beside(const KernelMatrix& matrix, const Context& context);

/// The weights of some training samples; 1 each if there are none. Throws Error unless they are
/// finite, not negative, and above 0 for some sample.
std::vector<double> weights_of(const TrainingSet& training, std::span<const std::uint32_t> chosen);

}  // namespace semblance::kernel
