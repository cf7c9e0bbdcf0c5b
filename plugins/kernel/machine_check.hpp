// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "class_problems.hpp"
#include "sorted_samples.hpp"

namespace semblance::kernel {

/// A trained machine, as check_machine() needs it.
struct MachineParts {
  const Similarity& kernel;       ///< whose bases are the vectors
  const ClassProblems& problems;  ///< without its source, which is not used
  const std::vector<numerics::DualSolution>& solutions;
  const std::vector<std::vector<Term>>& terms;  ///< by problem; a term's vector is one of `places`
  const std::vector<std::size_t>& places;       ///< of the vectors among the sorted rows
  /// Whether the terms give the decision values of the training samples: not if the kernel matrix
  /// was repaired.
  bool optimal;
  bool symmetrised;  ///< trained with (s(a, b) + s(b, a)) / 2
};

/// The result of checking a machine on a random subset of the training samples: kernel values by
/// their definition, in double, and decision values from these and the coefficients.
struct MachineCheck {
  /// The error of kernel values relative to the largest; nothing if the kernel is not a
  /// PlainSimilarity.
  std::optional<double> error = {};
  /// The violation of the optimality conditions; nothing if the terms do not give the decision
  /// values.
  std::optional<double> violation = {};
};

/// Checks a machine. Throws Error if rounding has lost kernel values, if a solution called
/// converged violates its optimality conditions by numerics::largest_excess more than in training,
/// or if an objective is impossible. Collective.
MachineCheck check_machine(const MachineParts& parts, const SortedSamples& rows, Context& context);

}  // namespace semblance::kernel
