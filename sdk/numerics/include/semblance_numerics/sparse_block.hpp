// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance::numerics {

/// The listed values of one row of a SparseBlock, in the order of their columns.
struct SparseRow {
  std::span<const float> values;
  const std::uint32_t* offsets = nullptr;  ///< where their columns begin in a panel of PackedRows
  const std::uint32_t* starts = nullptr;   ///< of each slice's, and where the last slice ends
};

/// Left rows for products with PackedRows. Only the values that differ from a background are
/// listed, once for products with several packed matrices.
class SparseBlock {
 public:
  /// For rows of `cols` values, with about `expected` listed values in all rows.
  explicit SparseBlock(std::size_t cols = 0, std::size_t expected = 0);

  /// Lists row[k] - background[k] wherever that is not 0, then all of `more` in the columns after
  /// the row's. An empty background means zeros. Throws Error unless `row` and `more` have cols()
  /// values together and a background has the size of the row.
  void add(std::span<const float> row, std::span<const float> background = {},
           std::span<const float> more = {});
  void clear() noexcept;
  /// Releases memory reserved for more rows.
  void shrink_to_fit();
  /// The bytes of a block after shrink_to_fit().
  static double bytes(std::size_t rows, std::size_t cols, std::size_t values) noexcept;

  std::size_t rows() const noexcept { return ends_.size(); }
  std::size_t cols() const noexcept { return cols_; }
  /// Valid until the next add().
  SparseRow row(std::size_t i) const noexcept;
  /// Prefetches what row(i) reads.
  void expect(std::size_t i) const noexcept { __builtin_prefetch(&ends_[i]); }

 private:
  std::size_t cols_;
  std::size_t slices_;
  std::vector<std::uint32_t> starts_;  // slices + 1 per row, relative to the row's start
  std::vector<std::uint32_t> offsets_;
  std::vector<float> values_;
  std::vector<std::size_t> ends_;  // of the rows
  AlignedArray<std::uint32_t> row_offsets_;
  AlignedBuffer row_values_;
};

/// The listed values of several rows in the order in which products read them: all rows' first
/// slice of columns, then all rows' second. A product with many packed rows repays the copy, since
/// values then come from the cache in sequence.
class SparseBatch {
 public:
  /// Copies rows of `cols` values.
  void assign(std::span<const SparseRow> rows, std::size_t cols);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return cols_; }
  /// The numbers of listed values: one per row, slice by slice.
  std::span<const std::uint32_t> counts() const noexcept { return counts_; }
  std::span<const std::uint32_t> offsets() const noexcept { return offsets_; }
  std::span<const float> values() const noexcept { return values_; }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> offsets_;
  std::vector<float> values_;
};

/// c = a * b^T in float32 for rows of b.cols() values: c has one row per row of `a` and one column
/// per row of b. Each element is one chain of multiply-adds in the order of the columns, so that it
/// has the same bits at any position, equal to those of multiply() for the rows in dense form. All
/// values of b must be finite. Throws Error if c has another shape.
void multiply(std::span<const SparseRow> a, const PackedRows& b, MutableMatrixView c);
void multiply(const SparseBatch& a, const PackedRows& b, MutableMatrixView c);

/// The products of one row with the panels [first, end) of b, written to `out`: b.width() values
/// per panel, aligned to a cache line. The same bits.
void multiply(const SparseRow& row, const PackedRows& b, std::size_t first, std::size_t end,
              float* out);

/// panel += sum over the rows of factors[i] row i, in their order. Each row has b.width() factors,
/// one for each row of the panel, aligned to a cache line.
void add_rows(std::span<const SparseRow> rows, const float* factors, float* panel);

}  // namespace semblance::numerics
