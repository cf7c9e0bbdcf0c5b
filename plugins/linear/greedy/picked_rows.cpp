// SPDX-License-Identifier: MIT
#include "greedy/picked_rows.hpp"

#include <algorithm>

namespace semblance::linear {

ColumnBlocks::ColumnBlocks(std::span<const std::size_t> widths) {
  std::size_t first = 0;
  for (const std::size_t width : widths) {
    blocks_.push_back({first, width});
    first += width;
  }
}

ColumnBlocks ColumnBlocks::only(std::vector<std::size_t> blocks) const {
  std::ranges::sort(blocks);
  ColumnBlocks some({});
  for (const std::size_t b : blocks) some.blocks_.push_back(blocks_.at(b));
  return some;
}

std::size_t ColumnBlocks::width() const noexcept {
  std::size_t width = 0;
  for (const Block& block : blocks_) width += block.width;
  return width;
}

void ColumnBlocks::copy(const float* row, float* out) const {
  for (const Block& block : blocks_) out = std::copy_n(row + block.first, block.width, out);
}

PickedRows::PickedRows(const Rows& rows, const std::vector<bool>& wanted,
                       const ColumnBlocks& columns)
    : values_(static_cast<std::size_t>(std::ranges::count(wanted, true)), columns.width()) {
  std::size_t next = 0;
  for (std::size_t first = 0; first < rows.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, rows.rows() - first);
    const MatrixView block = rows.view(first, count);
    for (std::size_t i = 0; i < count; ++i)
      if (wanted[first + i]) columns.copy(block.row(i), values_.view().row(next++));
    rows.release(first, count);
  }
}

}  // namespace semblance::linear
