// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "training_kernel.hpp"

namespace semblance::kernel {

/// Kernel rows of a similarity that is known to be positive semi-definite, with the training
/// samples spread over the ranks. The requested samples are sent to all ranks, and each rank
/// computes the columns of its own samples, in the order of their places. No other samples and no
/// kernel rows are sent. A value depends only on its two samples, so its bits are those of one
/// process.
class SharedSource final : public numerics::KernelSource {
 public:
  /// Makes the own samples the bases of `similarity` (SortedRows::set_own_bases()).
  SharedSource(Similarity& similarity, const SortedRows& rows, Context& context);

  bool collective() const noexcept override { return true; }
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;

  /// The rank of the sample at each place.
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

}  // namespace semblance::kernel
