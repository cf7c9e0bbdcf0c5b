// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "kernel_machine.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// The two-class problems on a kernel matrix whose rows are sorted by class.
struct ClassProblems {
  const numerics::KernelSource& source;
  std::vector<std::size_t> starts;  ///< the first row of each class, and the number of rows
  std::vector<double> costs;        ///< C, one per row
  bool one_versus_one = true;

  std::size_t classes() const noexcept { return starts.size() - 1; }
  numerics::Range rows(std::size_t c) const noexcept {
    return {starts[c], starts[c + 1] - starts[c]};
  }
};

/// The number of bytes with which solve_all() is not short of memory.
std::size_t comfortable_bytes(const std::vector<std::size_t>& starts, bool one_versus_one,
                              bool shrinking);

/// The kernel matrix row of variable i of a problem.
std::size_t row_of(const ClassProblems& problems, const Opponents& pair, std::size_t variable);

/// The starting points of some problems, by problem number.
using InitialStates = std::map<std::size_t, numerics::DualState>;

/// Solves all problems, several at a time, and returns their solutions in the order of opponents().
/// Kernel rows restricted to the columns of their own class are shared by all pairs of the class,
/// whole rows by all one-versus-rest problems. At most `bytes` are used. Throws Error with the
/// arithmetic if not even a few kernel rows fit, and the exception of the first problem that fails.
/// The bits depend neither on `bytes` nor on the number of threads. With `states`, solves only
/// those problems, from these starting points; `known` are the solutions of the other problems.
std::vector<numerics::DualSolution> solve_all(const ClassProblems& problems,
                                              numerics::DualOptions options, std::size_t bytes,
                                              Context& context, const InitialStates& states = {},
                                              std::vector<numerics::DualSolution> known = {});

}  // namespace semblance::kernel
