// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/report.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::kernel {

/// The figures of a training by dual problems.
std::vector<FigureInfo> dual_figures();

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

/// The figures of all problems together.
numerics::DualSolution sum_of(const std::vector<numerics::DualSolution>& solutions);

}  // namespace semblance::kernel
