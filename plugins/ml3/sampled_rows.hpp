// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace semblance::ml3 {

/// Some training samples in a given order, each on the rank that has it.
class SampledRows {
 public:
  /// `numbers` are those of the rows, in the order.
  SampledRows(const TrainingRows& rows, std::vector<std::uint32_t> numbers, Context& context);

  std::size_t rows() const noexcept { return numbers_.size(); }
  std::size_t cols() const noexcept { return own_.cols; }

  /// Copies of the own samples, sorted by their part of the training samples.
  MatrixView own() const noexcept { return own_.view(); }
  /// The range of these in an own part: [first_of(part), first_of(part + 1)).
  std::size_t first_of(std::size_t part) const noexcept { return firsts_[part] - first_own_; }
  const RowParts& parts() const noexcept { return parts_; }

  /// The row at a place of the order, on every rank. Collective.
  std::vector<float> row(std::size_t place) const;

  /// Gathers values of the own samples to values of all, in the given order. Collective.
  std::vector<float> in_order(const std::vector<float>& of_own) const;

 private:
  Context& context_;
  RowParts parts_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> places_;  // by part, and so by rank
  std::vector<std::size_t> firsts_;    // of each part in places_, and their number
  std::size_t first_own_ = 0;          // in places_
  FloatMatrix own_;
};

}  // namespace semblance::ml3
