// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernel/class_problems.hpp"
#include "kernel/training_kernel.hpp"
#include "semblance/report.hpp"

namespace semblance::solvers {

/// Says of one of the solutions why it is not as good as `tolerance` asks, if any is not.
void report_doubt(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                  Report& report);

/// Of all problems together, and a table of them; `pairs` are their classes.
void report_solutions(const std::vector<numerics::DualSolution>& solutions,
                      const std::vector<Opponents>& pairs, std::span<const std::string> classes,
                      Report& report);

/// What was done about an indefinite kernel. `known`: it is known not to be one.
void report_repair(const RepairRecord& record, bool known, Report& report);

}  // namespace semblance::solvers
