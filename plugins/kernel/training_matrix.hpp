// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel_matrix.hpp"
#include "semblance/report.hpp"
#include "shared_kernel.hpp"

namespace semblance::kernel {

/// The kernel of a training, as the solver's parameters define it.
struct KernelTask {
  Similarity& kernel;         ///< bound to the layout of the samples
  bool semidefinite = false;  ///< the kernel is positive semi-definite and needs no repair
  bool linear = false;        ///< the kernel is the inner product of rows that it keeps
  numerics::SpectrumRepair repair = numerics::SpectrumRepair::refuse;
  double negative_weight = 1;      ///< for the repair `krein`
  SharedKernel* shared = nullptr;  ///< with trainings of the same samples; null: nothing is shared
};

/// The kernel matrix of a training, as the solver reads it.
struct KernelMatrix {
  std::unique_ptr<numerics::KernelSource> source;
  FloatMatrix values = {};  // set if the kernel may be indefinite
  RepairRecord repair = {};
  std::size_t bytes = 0;  // with the samples and the kernel's copy
};

/// Lets the kernel learn from the chosen training samples, and makes all samples its bases.
KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows,
                           std::span<const std::uint32_t> chosen, Context& context);
/// The same, learning from all samples.
KernelMatrix kernel_matrix(const KernelTask& task, const SortedSamples& rows, Context& context);

/// Reports the handling of an indefinite kernel. `known`: the kernel is known to be positive
/// semi-definite.
void report_repair(const RepairRecord& record, bool known, Report& report);

}  // namespace semblance::kernel
