// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dual/dual_task.hpp"
#include "expansion/machine_check.hpp"
#include "expansion/machine_vectors.hpp"
#include "semblance/report.hpp"

namespace semblance::kernel {

/// Problems and their solutions, in the solver's unit until they are learned.
struct Solved {
  const DualTask& task;
  Solutions solutions;
};

struct Learned {
  LearnedFunctions functions;
  MachineCheck check;
};

/// Makes functions of the solutions of one or several costs, on the vectors of all, which become
/// the bases of the kernel. Checks them by the kernel's definition, and turns the solutions'
/// figures into those that are reported. Reports those of the last, and the repair of the matrix.
/// Throws Error as check_rows() does, or if an objective is impossible.
std::vector<Learned> learn(const DualSetting& setting, std::span<Solved> solved,
                           const RepairRecord& repair,
                           const std::function<std::string(std::size_t)>& problem_name,
                           Report& report);

/// Reports the figures of a check and the number of support vectors and of their values.
void report_machine(const MachineCheck& check, const std::vector<char>& support_vectors,
                    const SortedSamples& rows, Report& report);

}  // namespace semblance::kernel
