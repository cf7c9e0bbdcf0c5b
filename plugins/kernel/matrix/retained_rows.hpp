// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/kernel_source.hpp"

namespace semblance::kernel {

/// Retains rows that another source has computed, the first ones that are wanted, so that several
/// trainings compute them once.
class RetainedRows final : public numerics::KernelSource {
 public:
  /// Retains at most `most` of the `rows` rows.
  RetainedRows(const numerics::KernelSource& source, std::size_t rows, std::size_t most);

  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override;
  const float* resident(std::size_t row) const noexcept override {
    return ready_[row].load(std::memory_order_acquire);
  }

  /// How many rows are retained.
  std::size_t retained() const;

 private:
  void retain(std::span<const std::uint32_t> rows) const;

  const numerics::KernelSource& source_;
  std::size_t most_;
  mutable std::vector<std::atomic<const float*>> ready_;  // by row; null: not retained
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<float>> values_;
  mutable std::size_t promised_ = 0;  // retained, or being computed for that
};

/// A source for several trainings on the same samples. It retains as many rows as fit into half of
/// the memory, unless the source has them in memory.
class SharedSource {
 public:
  SharedSource(const numerics::KernelSource& source, std::size_t rows, std::size_t bytes);

  const numerics::KernelSource& source() const noexcept { return retained_ ? *retained_ : source_; }
  /// Of the bytes for it and the trainings, those for the trainings.
  std::size_t bytes_left() const noexcept { return bytes_left_; }

 private:
  const numerics::KernelSource& source_;
  std::size_t bytes_left_;
  std::optional<RetainedRows> retained_;
};

}  // namespace semblance::kernel
