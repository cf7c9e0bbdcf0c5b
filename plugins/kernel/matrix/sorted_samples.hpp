// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::kernel {

/// What is wrong, in errors of checks by the kernel's definition.
inline constexpr const char* lost_kernel_values =
    "the kernel's values for a sample of training rows";

/// The training samples, sorted by class.
struct SortedSamples {
  explicit SortedSamples(const TrainingSet& training);
  /// Some training samples as a single class, in the given order.
  SortedSamples(const TrainingSet& training, std::vector<std::uint32_t> chosen);

  const Rows& rows;
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

  std::vector<std::uint32_t> samples_at(std::span<const std::size_t> places) const;
  /// The values of the training samples at some places, not centred.
  FloatMatrix values_at(std::span<const std::size_t> places) const;

  /// Makes all centred training samples the bases of `similarity`. Throws Error if float32 loses
  /// kernel values of some, or their differences.
  void set_bases(Similarity& similarity, Context& context) const;
  /// Makes the training samples at some places, not centred, its bases.
  void set_bases(Similarity& similarity, std::span<const std::size_t> places,
                 Context& context) const;

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
};

/// Throws Error: a training sample has kernel values that are not finite.
[[noreturn]] void throw_not_finite(std::uint32_t row);
/// Throws Error if a value is not finite; `rows` are the corresponding training samples.
void check_kernel_values(MatrixView values, std::span<const std::uint32_t> rows);

/// Runs `body` with a block of these training samples; errors name the samples.
template <class Body>
void with_training_rows(std::span<const std::uint32_t> rows, const Body& body) {
  try {
    body();
  } catch (const RowError& problem) {
    if (problem.of() != RowError::Of::block && problem.of() != RowError::Of::bases) throw;
    throw problem.about(RowError::Of::training, rows[problem.row()]);
  }
}

/// The weights of some training samples; 1 each if there are none. Throws Error unless they are
/// finite, not negative, and above 0 for some sample.
std::vector<double> sample_weights(const TrainingSet& training,
                                   std::span<const std::uint32_t> chosen);

/// Copies these training samples.
FloatMatrix gather(const Rows& rows, const Layout& layout, std::span<const std::uint32_t> chosen);

}  // namespace semblance::kernel
