// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "semblance/row_parts.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/kernel_source.hpp"
#include "semblance_numerics/kernel_spectrum.hpp"

namespace semblance::solvers {

/// The training rows, class after class. Where ranks learn together, each has the values of its own
/// rows alone, and the constructor and set_bases() are collective.
struct SortedRows {
  SortedRows(const TrainingSet& training, Context& context);

  /// The same rows, all of which are here.
  SortedRows of(const Rows& all) const { return {*this, all}; }

  const Rows& rows;
  bool spread;                                ///< whether the values are on several ranks
  std::span<const std::int64_t> row_numbers;  ///< TrainingSet::row_numbers
  std::vector<std::uint32_t> order;           ///< the training row at each place
  std::vector<std::size_t> starts;  ///< the first place of each class, and the number of rows

  numerics::Range of(std::size_t c) const noexcept {
    return {starts[c], starts[c + 1] - starts[c]};
  }
  numerics::Range all() const noexcept { return {0, order.size()}; }

  /// How many values a row has, and all of them together.
  std::size_t size_of(std::size_t place) const {
    return sizes.empty() ? rows.cols() : sizes[order[place]];
  }
  std::size_t values() const noexcept;
  /// What these take, here and once more as the bases of a measure; sparse ones with their columns,
  /// and as bases in two orders.
  std::size_t bytes_with_bases() const noexcept;

  /// The training rows at some places, as they are, on all ranks.
  FloatMatrix values_at(std::span<const std::size_t> places, Context& context) const;

  /// Makes all training rows, about the centre, the bases of `similarity`.
  void set_bases(Similarity& similarity, Context& context) const;
  /// Makes the training rows at some places, as they are, its bases, on all ranks.
  void set_bases(Similarity& similarity, std::span<const std::size_t> places,
                 Context& context) const;
  /// Makes the own rows alone, about the centre, the bases, in the order of their places; none:
  /// leaves it as it is.
  void set_own_bases(Similarity& similarity, const OwnParts& own, Context& context) const;

  /// The numbers that the source gives these training rows.
  std::vector<std::int64_t> numbers(std::span<const std::uint32_t> chosen) const;

  std::vector<std::size_t> sizes;  ///< of rows that differ in size: values of each training row
  Layout layout;                   ///< of the samples
  /// What is subtracted from rows whose kernel values are computed; empty: nothing.
  std::vector<float> centre;

  /// Makes rows those about the centre.
  void subtract_centre(FloatMatrix& samples) const;
  /// Their similarities to the bases from `first` on; where there is a centre, inner products that
  /// are summed in double, so that all they lose is rounded away at the end.
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

/// Says that a training row has kernel values that are not finite.
[[noreturn]] void throw_not_finite(std::uint32_t row);
/// Throws Error where a value is not finite; `rows` are the training rows that they belong to.
void check_kernel_values(MatrixView values, std::span<const std::uint32_t> rows);

/// Rows of a similarity that is known to be positive semi-definite, computed when they are asked
/// for. Its bases are the sorted rows.
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

/// The symmetric part (S + S') / 2 of the similarities between all sorted rows, which are the
/// bases. Throws Error where a value is not finite.
FloatMatrix symmetric_part(const Similarity& similarity, const SortedRows& rows, Context& context);

/// How the spectrum of a kernel matrix was found to be, and what was done about it.
struct RepairRecord {
  numerics::SpectrumRepair how = numerics::SpectrumRepair::refuse;
  bool done = false;                           ///< false: stopped before
  std::optional<numerics::Spectrum> spectrum;  ///< where a repair was asked for
  double tolerance = 0;        ///< eigenvalues over minus this count as not negative
  double negative_weight = 1;  ///< of the repair `krein`
};

/// Makes the matrix positive semi-definite as `how` says, or throws Error where it is to refuse and
/// the matrix is not.
RepairRecord make_semidefinite(numerics::SpectrumRepair how, double negative_weight,
                               FloatMatrix& matrix, Context& context);

/// Throws Error with the arithmetic unless the matrix and what the check or the repair of its
/// spectrum takes fit into the memory budget; the rows and the
/// measure's copy of them take so many bytes.
void check_matrix_memory(numerics::SpectrumRepair how, std::size_t rows, std::size_t bytes,
                         const Context& context);

}  // namespace semblance::solvers
