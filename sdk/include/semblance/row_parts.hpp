// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// How training rows are shared out wherever an order of summation matters, among threads and among
/// processes: cut into parts of consecutive blocks (block_rows), by nothing but their number. Sums
/// are taken part by part and then up a fixed tree over the parts (sum_over_parts()); a process
/// that trains together with others has some parts, one after the other, and never half a part.
class RowParts {
 public:
  explicit RowParts(std::size_t rows) noexcept;

  std::size_t rows() const noexcept { return rows_; }

  /// 32 parts, or more of at least four blocks each, up to 1024; a part a block where there are
  /// fewer blocks than 32.
  std::size_t count() const noexcept { return count_; }

  /// first_row(count()) is rows().
  std::size_t first_row(std::size_t part) const noexcept;
  std::size_t rows_of(std::size_t part) const noexcept {
    return first_row(part + 1) - first_row(part);
  }

  /// The part that a row belongs to.
  std::size_t part_of(std::size_t row) const noexcept;

 private:
  std::size_t rows_;
  std::size_t count_;
};

/// Some parts, one after the other, and the rows that they are.
struct OwnParts {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;

  std::size_t end() const noexcept { return first + count; }
  std::size_t end_row() const noexcept { return first_row + rows; }
  bool has_row(std::size_t row) const noexcept { return row >= first_row && row < end_row(); }
};

/// The parts of one of so many processes: an equal number each, as nearly as it can be.
OwnParts parts_of(const RowParts& parts, std::size_t rank, std::size_t ranks) noexcept;

}  // namespace semblance
