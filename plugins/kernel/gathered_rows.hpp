// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/samples.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::kernel {

/// A copy of all training samples on every rank, gathered from the ranks' own.
class GatheredRows final : public Rows {
 public:
  /// `sizes`: the number of values of each row, if rows differ in size; else empty. Collective.
  GatheredRows(const Rows& rows, const Layout& layout, std::span<const std::size_t> sizes,
               Context& context);

  std::size_t rows() const noexcept override { return rows_; }
  std::size_t cols() const noexcept override { return cols_; }
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t, std::size_t) const override {}

 private:
  std::size_t rows_;
  std::size_t cols_;
  std::vector<std::size_t> offsets_;
  numerics::AlignedBuffer values_;
  std::vector<std::uint32_t> columns_;  // for sparse rows
  bool sparse_;
};

}  // namespace semblance::kernel
