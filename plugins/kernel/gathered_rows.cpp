// SPDX-License-Identifier: MIT
#include "gathered_rows.hpp"

#include <algorithm>

#include "semblance/collectives.hpp"

namespace semblance::kernel {

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
  // Neither zeroed first nor copied for sending: all rows take a lot of memory.
  values_ = numerics::AlignedBuffer(start(rows_));
  columns_.reserve(1);  // never empty: a non-null pointer marks rows as sparse
  columns_.resize(sparse_ ? start(rows_) : 0);
  for_each_own_block(rows, context, [&](std::size_t, std::size_t first, MatrixView block) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      std::ranges::copy(block.row_span(i), values_.data() + start(first + i));
      if (sparse_) std::ranges::copy(block.columns_of(i), columns_.data() + start(first + i));
    }
  });
  Collectives& ranks = context.collectives();
  for (std::size_t r = 0; r < ranks.ranks(); ++r) {
    const OwnParts parts = parts_of(RowParts(rows_), r, ranks.ranks());
    const std::size_t first = start(parts.first_row), count = start(parts.end_row()) - first;
    ranks.broadcast(r, std::as_writable_bytes(std::span(values_.data() + first, count)));
    if (sparse_)
      ranks.broadcast(r, std::as_writable_bytes(std::span(columns_.data() + first, count)));
  }
}

MatrixView GatheredRows::view(std::size_t first, std::size_t count) const {
  const float* const values = values_.data();
  if (offsets_.empty()) return {values + first * cols_, count, cols_, cols_};
  return {
      values, count, cols_, cols_, offsets_.data() + first, sparse_ ? columns_.data() : nullptr};
}

}  // namespace semblance::kernel
