// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "class_problems.hpp"
#include "machine_check.hpp"

namespace semblance::kernel {

/// A trained classifier, as check_machine() needs it.
struct MachineParts {
  CheckedMachine machine;
  const ClassProblems& problems;  ///< without its source, which is not used
  const std::vector<numerics::DualSolution>& solutions;
  const std::vector<std::vector<Term>>& terms;  ///< by problem; of the machine's vectors
};

/// check_rows() for a classifier. Also throws Error if an objective is impossible.
MachineCheck check_machine(const MachineParts& parts, const SortedSamples& rows, Context& context);

}  // namespace semblance::kernel
