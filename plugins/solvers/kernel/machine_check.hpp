// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kernel/class_problems.hpp"
#include "kernel/training_kernel.hpp"

namespace semblance::solvers {

/// A trained machine, as check_machine() needs it.
struct MachineParts {
  const Similarity& kernel;       ///< whose bases are the vectors
  const ClassProblems& problems;  ///< without its source, which is not looked at
  const std::vector<numerics::DualSolution>& solutions;
  const std::vector<std::vector<Term>>& terms;  ///< by problem; a term's vector is one of `places`
  const std::vector<std::size_t>& places;       ///< of the vectors among the sorted rows
  /// Whether training rows have the decision values that the terms give: not where the kernel's
  /// matrix was repaired.
  bool optimal;
  bool symmetrised;  ///< trained with (s(a, b) + s(b, a)) / 2
};

/// What a random sample of training rows says of a machine: its kernel's values by
/// their definition, in double, and decision values from these and the coefficients.
struct MachineCheck {
  /// Of kernel values, as a share of the largest; nothing where the kernel is no PlainSimilarity.
  std::optional<double> error = {};
  /// Of the optimality conditions; nothing where rows do not have the decision values of the terms.
  std::optional<double> violation = {};
};

/// Collective. Throws Error where rounding has lost kernel values, where the solution of a problem
/// that is called converged violates its optimality conditions by numerics::largest_excess more
/// than training saw, or where an objective is one that no solution can have.
MachineCheck check_machine(const MachineParts& parts, const SortedRows& rows, Context& context);

}  // namespace semblance::solvers
