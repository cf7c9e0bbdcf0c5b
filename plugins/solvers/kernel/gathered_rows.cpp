// SPDX-License-Identifier: MIT
#include "kernel/gathered_rows.hpp"

#include <algorithm>

#include "semblance/collectives.hpp"
#include "semblance/error.hpp"

namespace semblance::solvers {

GatheredRows::GatheredRows(const Rows& rows, const Layout& layout,
                           std::span<const std::size_t> sizes, Context& context)
    : rows_(rows.rows()), cols_(rows.cols()), sparse_(layout.kind == LayoutKind::sparse) {
  if (!sizes.empty()) {
    offsets_.reserve(rows_ + 1);
    offsets_.push_back(0);
    for (const std::size_t size : sizes) offsets_.push_back(offsets_.back() + size);
  }
  const auto start = [&](std::size_t row) {
    return offsets_.empty() ? row * cols_ : offsets_[row];
  };
  const OwnParts parts = context.collectives().own(RowParts(rows_));
  std::vector<float> own(start(parts.end_row()) - start(parts.first_row));
  std::vector<std::uint32_t> own_columns(sparse_ ? own.size() : 0);
  for_each_own_block(rows, context, [&](std::size_t, std::size_t first, MatrixView block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      const std::size_t at = start(first + i) - start(parts.first_row);
      std::ranges::copy(block.row_span(i), own.data() + at);
      if (sparse_) std::ranges::copy(block.columns_of(i), own_columns.data() + at);
    }
  });
  // By rank, so in the order of the rows.
  values_ = context.collectives().gather(std::as_bytes(std::span(own)));
  if (sparse_) {
    columns_ = context.collectives().gather(own_columns);
    columns_.reserve(1);  // never without memory: the pointer to it is what makes rows sparse
  }
  if (values_.size() != start(rows_) * sizeof(float) ||
      (sparse_ && columns_.size() != start(rows_)))
    throw Error("internal error: rows of other ranks are missing");
}

MatrixView GatheredRows::view(std::size_t first, std::size_t count) const {
  const auto* values = reinterpret_cast<const float*>(values_.data());
  if (offsets_.empty()) return {values + first * cols_, count, cols_, cols_};
  return {
      values, count, cols_, cols_, offsets_.data() + first, sparse_ ? columns_.data() : nullptr};
}

}  // namespace semblance::solvers
