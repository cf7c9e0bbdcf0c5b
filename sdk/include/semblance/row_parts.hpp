// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace semblance {

/// The division of training samples among threads and processes wherever the order of summation
/// matters: parts of consecutive blocks (block_rows), which depend only on the number of rows. Sums
/// are taken per part and then up a fixed tree over the parts (sum_over_parts()). In distributed
/// training each process has some consecutive parts, never half a part.
class RowParts {
 public:
  explicit RowParts(std::size_t rows) noexcept;

  std::size_t rows() const noexcept { return rows_; }

  /// 32 parts, or more of at least four blocks each, up to 1024; one part per block if there are
  /// fewer than 32 blocks.
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

/// Some consecutive parts and their rows.
struct OwnParts {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t first_row = 0;
  std::size_t rows = 0;

  std::size_t end() const noexcept { return first + count; }
  std::size_t end_row() const noexcept { return first_row + rows; }
  bool has_row(std::size_t row) const noexcept { return row >= first_row && row < end_row(); }
};

/// The parts of process `rank` out of `ranks`; all have the same number of parts, as nearly as
/// possible.
OwnParts parts_of(const RowParts& parts, std::size_t rank, std::size_t ranks) noexcept;

}  // namespace semblance
