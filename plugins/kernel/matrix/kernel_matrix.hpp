// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "matrix/sorted_samples.hpp"
#include "semblance/report.hpp"
#include "semblance_numerics/kernel_source.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"

namespace semblance::kernel {

/// Kernel rows of a similarity that is known to be positive semi-definite, computed on demand. Its
/// bases are the sorted samples.
class SimilaritySource final : public numerics::KernelSource {
 public:
  SimilaritySource(const Similarity& similarity, const SortedSamples& rows, Context& context)
      : similarity_(similarity), rows_(rows), context_(context) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;
  bool computes_in_parts() const noexcept override;
  void compute_in_parts(std::span<const std::uint32_t> rows, numerics::Range columns,
                        const TakePart& take) const override;
  bool computes_some() const noexcept override;
  void compute_some(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
                    MutableMatrixView out) const override;

 private:
  void compute(MatrixView samples, std::span<const std::uint32_t> originals,
               std::size_t first_column, MutableMatrixView out) const;

  const Similarity& similarity_;
  const SortedSamples& rows_;
  Context& context_;
};

/// All kernel values between n samples. A source's rows are symmetric but for rounding; of two
/// values the matrix has the mean.
FloatMatrix whole_matrix(const numerics::KernelSource& source, std::size_t n, Context& context);

/// The result of checking and repairing the spectrum of a kernel matrix.
struct RepairRecord {
  numerics::SpectrumRepair how = numerics::SpectrumRepair::refuse;
  bool done = false;                           ///< false: stopped before
  std::optional<numerics::Spectrum> spectrum;  ///< if a repair was requested
  double tolerance = 0;        ///< eigenvalues above minus this count as not negative
  double negative_weight = 1;  ///< for the repair `krein`
};

class SharedKernel;

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
  std::unique_ptr<numerics::KernelSource> computed = {};  // by which the source shares its rows
  std::unique_ptr<numerics::KernelSource> source = {};
  FloatMatrix values = {};  // set if the kernel may be indefinite
  RepairRecord repair = {};
  std::size_t bytes = 0;  // with the samples and the kernel's copy

  /// What it leaves of the memory budget.
  std::size_t bytes_left(const Context& context) const noexcept {
    const std::size_t budget = context.memory_budget();
    return budget > bytes ? budget - bytes : 0;
  }
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
