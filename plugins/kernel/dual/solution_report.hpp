// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semblance/report.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// Whether a stop request ended it.
bool was_stopped(const numerics::DualSolution& solution);

/// Reports why a solution does not meet the options' tolerance and gap, for one such solution if
/// any.
void report_doubt(const std::vector<numerics::DualSolution>& solutions,
                  const numerics::DualOptions& options, Report& report);

/// The largest number of problems whose convergence is recorded.
inline constexpr std::size_t most_histories = 100;

/// Reports the figures of all problems together, a table of them, and how the one that took most
/// working sets converged, if that was recorded.
void report_solutions(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                      const std::function<std::string(std::size_t)>& problem_name, Report& report);

/// The solutions for one of several costs.
struct PathEntry {
  double cost;
  const std::vector<numerics::DualSolution>* solutions;
  std::size_t support_vectors;
};

/// A table with one row for each cost.
Table path_table(const std::vector<PathEntry>& entries);

}  // namespace semblance::kernel
