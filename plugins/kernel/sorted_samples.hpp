// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semblance/row_parts.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/kernel_source.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"

namespace semblance::kernel {

/// The training samples, sorted by class. In distributed training, each rank has only the values of
/// its own samples, and the constructor and set_bases() are collective.
struct SortedRows {
  SortedRows(const TrainingSet& training, Context& context);

  /// The same samples, with all values on this rank.
  SortedRows of(const Rows& all) const { return {*this, all}; }

  const Rows& rows;
  bool spread;                                ///< whether the values are on several ranks
  std::span<const std::int64_t> row_numbers;  ///< TrainingSet::row_numbers
  std::vector<std::uint32_t> order;           ///< the training sample at each place
  std::vector<std::size_t> starts;  ///< the first place of each class, and the number of rows

  numerics::Range of(std::size_t c) const noexcept {
    return {starts[c], starts[c + 1] - starts[c]};
  }
  numerics::Range all() const noexcept { return {0, order.size()}; }

  /// The number of values of a sample, and of all samples.
  std::size_t size_of(std::size_t place) const {
    return sizes.empty() ? rows.cols() : sizes[order[place]];
  }
  std::size_t values() const noexcept;
  /// The bytes of the samples and of their copy as bases of a measure. Sparse ones include their
  /// columns, and as bases they are stored in two orders.
  std::size_t bytes_with_bases() const noexcept;

  /// The training samples at some places, not centred, on all ranks.
  FloatMatrix values_at(std::span<const std::size_t> places, Context& context) const;

  /// Makes all centred training samples the bases of `similarity`.
  void set_bases(Similarity& similarity, Context& context) const;
  /// Makes the training samples at some places, not centred, its bases, on all ranks.
  void set_bases(Similarity& similarity, std::span<const std::size_t> places,
                 Context& context) const;
  /// Makes only the own samples, centred, the bases, in the order of their places. Does nothing if
  /// there are none.
  void set_own_bases(Similarity& similarity, const OwnParts& own, Context& context) const;

  /// The source's numbers of these training samples.
  std::vector<std::int64_t> numbers(std::span<const std::uint32_t> chosen) const;

  std::vector<std::size_t> sizes;  ///< number of values of each training sample, if samples differ
                                   ///< in size
  Layout layout;                   ///< of the samples
  /// Subtracted from samples before kernel values are computed; empty: nothing.
  std::vector<float> centre;

  /// Centres the samples.
  void subtract_centre(FloatMatrix& samples) const;
  /// Computes the samples' similarities to the bases from `first` on. With a centre, these are
  /// inner products summed in double and rounded once at the end.
  void compare(const Similarity& similarity, MatrixView samples, std::size_t first,
               MutableMatrixView out, Context& context) const;

 private:
  SortedRows(const SortedRows& other, const Rows& all)
      : rows(all),
        spread(false),
        row_numbers(other.row_numbers),
        order(other.order),
        starts(other.starts),
        sizes(other.sizes),
        layout(other.layout),
        centre(other.centre) {}
};

/// Throws Error: a training sample has kernel values that are not finite.
[[noreturn]] void throw_not_finite(std::uint32_t row);
/// Throws Error if a value is not finite; `rows` are the corresponding training samples.
void check_kernel_values(MatrixView values, std::span<const std::uint32_t> rows);

/// Kernel rows of a similarity that is known to be positive semi-definite, computed on demand. Its
/// bases are the sorted samples.
class SimilaritySource final : public numerics::KernelSource {
 public:
  SimilaritySource(const Similarity& similarity, const SortedRows& rows, Context& context)
      : similarity_(similarity), rows_(rows), context_(context) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;

 private:
  const Similarity& similarity_;
  const SortedRows& rows_;
  Context& context_;
};

/// The symmetric part (S + S') / 2 of the similarities between all sorted samples, which are the
/// bases. Throws Error if a value is not finite.
FloatMatrix symmetric_part(const Similarity& similarity, const SortedRows& rows, Context& context);

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
