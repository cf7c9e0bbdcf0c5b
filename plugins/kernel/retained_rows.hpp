// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::kernel {

/// Retains each row that another source has computed, so that trainings one after the other compute
/// it once. Not for collective sources.
class RetainedRows final : public numerics::KernelSource {
 public:
  RetainedRows(const numerics::KernelSource& source, std::size_t rows);

  /// If all rows are computed.
  static std::size_t bytes(std::size_t rows) noexcept { return rows * rows * sizeof(float); }

  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;

  /// How many rows have been computed.
  std::size_t computed() const;

 private:
  void add_missing(std::span<const std::uint32_t> rows) const;

  const numerics::KernelSource& source_;
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<float>> rows_;  // empty: not computed
};

}  // namespace semblance::kernel
