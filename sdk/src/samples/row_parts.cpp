// SPDX-License-Identifier: MIT
#include "semblance/row_parts.hpp"

#include <algorithm>
#include <bit>

#include "semblance/samples.hpp"

namespace semblance {
namespace {

constexpr std::size_t least_parts = 32;
constexpr std::size_t most_parts = 1024;
constexpr std::size_t blocks_a_part = 4;

}  // namespace

RowParts::RowParts(std::size_t rows) noexcept : rows_(rows) {
  const std::size_t blocks = block_count(rows);
  const std::size_t wanted = std::bit_floor(blocks / blocks_a_part);
  count_ = std::min(blocks, std::clamp(wanted, least_parts, most_parts));
}

std::size_t RowParts::first_row(std::size_t part) const noexcept {
  if (part >= count_) return rows_;
  return block_count(rows_) * part / count_ * block_rows;
}

std::size_t RowParts::part_of(std::size_t row) const noexcept {
  if (count_ == 0) return 0;
  const std::size_t blocks = block_count(rows_), block = row / block_rows;
  std::size_t part = std::min(block * count_ / blocks, count_ - 1);
  while (part > 0 && row < first_row(part)) --part;
  while (part + 1 < count_ && row >= first_row(part + 1)) ++part;
  return part;
}

OwnParts parts_of(const RowParts& parts, std::size_t rank, std::size_t ranks) noexcept {
  const std::size_t first = parts.count() * rank / ranks;
  const std::size_t end = parts.count() * (rank + 1) / ranks;
  const std::size_t row = parts.first_row(first);
  return {first, end - first, row, parts.first_row(end) - row};
}

}  // namespace semblance
