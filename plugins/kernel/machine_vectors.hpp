// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel_expansion.hpp"
#include "semblance/report.hpp"
#include "training_matrix.hpp"

namespace semblance::kernel {

/// The terms of each problem, whose vectors are places among the sorted samples.
using Terms = std::vector<std::vector<Term>>;

/// The vectors of a machine: samples by place, class after class.
struct MachineVectors {
  std::vector<std::size_t> places;
  std::vector<std::uint32_t> rows;     ///< the training sample of each
  std::vector<std::size_t> starts{0};  ///< the first vector of each class, and their number
  /// Whether the sample at each place has a coefficient in any problem, before its repair.
  std::vector<char> support_vectors;
};

/// Converts the terms, whose vectors are places, to the unrepaired similarities; numbers the
/// vectors that they need, and makes these the bases of the kernel.
MachineVectors choose_vectors(const KernelTask& task, const SortedSamples& rows,
                              const RepairRecord& repair, Terms& terms, Context& context);

/// Reports the number of support vectors, and their total number of values.
void report_vectors(const std::vector<char>& support_vectors, const SortedSamples& rows,
                    Report& report);

}  // namespace semblance::kernel
