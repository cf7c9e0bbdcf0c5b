// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/training_kernel.hpp"

namespace semblance::solvers {

/// Kernel rows of a similarity that is known to be positive semi-definite, where each rank has some
/// of the training rows: the rows that are asked for are sent to all ranks, and each computes the
/// columns of its own rows, in the order of their places. No other row leaves its rank, and no
/// kernel row. A value depends on its two samples alone, so its bits are those of one process.
class SharedSource final : public numerics::KernelSource {
 public:
  /// The bases of `similarity` become the own rows (SortedRows::set_own_bases()).
  SharedSource(Similarity& similarity, const SortedRows& rows, Context& context);

  bool collective() const noexcept override { return true; }
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;

  /// The rank that has the row at each place.
  std::vector<std::uint32_t> owners() const;

 private:
  FloatMatrix samples(std::span<const std::uint32_t> training_rows) const;
  void compute_own(MatrixView samples, std::size_t first_column, MutableMatrixView out) const;
  void check(MatrixView values, std::span<const std::uint32_t> training_rows) const;

  const Similarity& similarity_;
  const SortedRows& rows_;
  Context& context_;
  std::vector<OwnParts> owners_;  // by rank
};

}  // namespace semblance::solvers
