// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semblance_numerics/kernel_source.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"
#include "sorted_samples.hpp"

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

/// The symmetric part (S + S') / 2 of the similarities between all sorted samples, which are the
/// bases. Throws Error if a value is not finite, or if S is not symmetric.
FloatMatrix symmetric_part(const Similarity& similarity, const SortedSamples& rows,
                           Context& context);

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

/// Makes the matrix positive semi-definite by the method `how`. Throws Error if `how` is to refuse
/// and the matrix is not positive semi-definite.
RepairRecord make_semidefinite(numerics::SpectrumRepair how, double negative_weight,
                               FloatMatrix& matrix, Context& context);

/// Throws Error with the arithmetic unless the matrix and the check or repair of its spectrum fit
/// into the memory budget, in addition to the given bytes of the samples and the measure's copy.
void check_matrix_memory(numerics::SpectrumRepair how, std::size_t rows, std::size_t bytes,
                         const Context& context);

}  // namespace semblance::kernel
