// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "class_problems.hpp"
#include "kernel_matrix.hpp"
#include "semblance/report.hpp"

namespace semblance::kernel {

/// Reports why a solution does not meet `tolerance`, for one such solution if any.
void report_doubt(const std::vector<numerics::DualSolution>& solutions, double tolerance,
                  Report& report);

/// Reports the figures of all problems together and a table of them; `pairs` are their classes.
void report_solutions(const std::vector<numerics::DualSolution>& solutions,
                      const std::vector<Opponents>& pairs, std::span<const std::string> classes,
                      Report& report);

/// Reports the handling of an indefinite kernel. `known`: the kernel is known to be positive
/// semi-definite.
void report_repair(const RepairRecord& record, bool known, Report& report);

}  // namespace semblance::kernel
