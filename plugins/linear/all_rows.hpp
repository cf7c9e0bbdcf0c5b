// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "semblance/collectives.hpp"
#include "semblance/samples.hpp"

namespace semblance::linear {

/// A copy of the samples of all ranks. Making it is collective.
class AllRows final : public Rows {
 public:
  AllRows(const Rows& rows, Context& context) : values_(rows.rows(), rows.cols()) {
    std::vector<std::int64_t> block;
    for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
      block.resize(std::min(block_rows, rows.rows() - first));
      std::iota(block.begin(), block.end(), static_cast<std::int64_t>(first));
      const FloatMatrix gathered = gather_rows(rows, block, context);
      std::copy(gathered.values.begin(), gathered.values.end(), values_.view().row(first));
    }
  }
  std::size_t rows() const noexcept override { return values_.rows; }
  std::size_t cols() const noexcept override { return values_.cols; }
  MatrixView view(std::size_t first, std::size_t count) const override {
    return values_.view().rows_range(first, count);
  }
  void release(std::size_t, std::size_t) const override {}

  static std::size_t bytes(const Rows& rows) noexcept {
    return (rows.rows() + 3 * block_rows) * rows.cols() * sizeof(float);
  }

 private:
  FloatMatrix values_;
};

}  // namespace semblance::linear
