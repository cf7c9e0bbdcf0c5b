// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batch_rows.hpp"
#include "batch_samples.hpp"
#include "weighting.hpp"

namespace semblance::ml3 {

/// The samples of a batch with all that their steps need of them, in one place.
class Batch {
 public:
  Batch(const Problem& problem, std::size_t most, std::size_t values_a_sample);

  /// Takes order[first, first + count), which must have been reached. With `multiply` their
  /// products with models can be computed, otherwise only their products with each other.
  void take(const BatchRows& rows, std::span<const std::uint32_t> order, std::size_t first,
            std::size_t count, bool multiply);

  std::size_t size() const noexcept { return samples_.size(); }
  const std::vector<Sample>& samples() const noexcept { return samples_; }
  const Sample& operator[](std::size_t position) const noexcept { return samples_[position]; }
  BatchSamples& rows() noexcept { return rows_; }

  /// The number of batches taken ahead while the same number is processed.
  static std::size_t taken_ahead(const Problem& problem, std::size_t most,
                                 std::size_t values_a_sample) noexcept;

 private:
  const Problem& problem_;
  BatchSamples rows_;
  FloatMatrix values_;  // Weighting::values()
  std::vector<Sample> samples_;
};

}  // namespace semblance::ml3
