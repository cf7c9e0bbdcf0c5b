// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/training_kernel.hpp"

namespace semblance::solvers {

/// Rows of a similarity that is known to be positive semi-definite, where each rank has some of the
/// training rows: the rows that are asked for are sent to all ranks, each computes the columns of
/// its own rows, and these are sent to all. So a kernel row comes to the bits that one process
/// computes, as a value depends on its two samples alone, and no other row leaves its rank.
class SharedSource final : public numerics::KernelSource {
 public:
  /// The bases of `similarity` become the own rows (SortedRows::set_own_bases()).
  SharedSource(Similarity& similarity, const SortedRows& rows, Context& context);

  bool collective() const noexcept override { return true; }
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;

 private:
  /// Rows of one rank that stand one behind the other.
  struct Run {
    std::size_t place;  // of the first
    std::size_t count;
    std::size_t rank;
    std::size_t number;  // of the first, among all rows of its rank
  };
  /// Some columns: the part of all runs that lies within, in the order of the places.
  std::vector<Run> runs_within(numerics::Range columns) const;
  FloatMatrix samples(std::span<const std::uint32_t> training_rows) const;
  FloatMatrix own_columns(MatrixView samples, numerics::Range own) const;

  const Similarity& similarity_;
  const SortedRows& rows_;
  Context& context_;
  std::vector<OwnParts> owners_;  // by rank
  std::vector<Run> runs_;         // in the order of the places
};

}  // namespace semblance::solvers
