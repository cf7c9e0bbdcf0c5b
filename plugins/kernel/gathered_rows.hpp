// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/samples.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::kernel {

/// Copies of all training samples, which ranks have sent to each other. They are stored in a given
/// order, so that a kernel can take them as its bases without another copy.
class GatheredRows final : public Rows {
 public:
  /// `rows`: each rank has its own; `order`: the row at each place; `sizes`: the number of values
  /// of each row, if rows differ in size, else empty. Collective.
  GatheredRows(const Rows& rows, const Layout& layout, std::span<const std::uint32_t> order,
               std::span<const std::size_t> sizes, Context& context);

  std::size_t rows() const noexcept override { return places_.size(); }
  std::size_t cols() const noexcept override { return cols_; }
  /// Several rows are consecutive only if their places are.
  MatrixView view(std::size_t first, std::size_t count) const override;
  void release(std::size_t, std::size_t) const override {}

  /// All rows, in the order of their places.
  MatrixView by_place() const noexcept;

 private:
  class Exchange;

  std::size_t start(std::size_t place) const {
    return offsets_.empty() ? place * cols_ : offsets_[place];
  }

  std::size_t cols_;
  std::vector<std::size_t> places_;   // of each row
  std::vector<std::size_t> offsets_;  // by place, if rows differ in size
  // Neither zeroed first nor copied for sending: all rows take a lot of memory.
  numerics::AlignedBuffer values_;
  std::vector<std::uint32_t> columns_;  // of sparse rows
};

}  // namespace semblance::kernel
