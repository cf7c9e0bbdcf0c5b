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

/// Left rows of products with PackedRows of which only the values that differ from a background are
/// listed, once for products with several packed matrices.
class SparseBlock {
 public:
  /// For rows of `cols` values; about `expected` of all rows' will be listed.
  explicit SparseBlock(std::size_t cols = 0, std::size_t expected = 0);

  /// Lists row[k] - background[k] wherever that is not 0, and then all of `more` in the columns
  /// behind the row's. No background is one of zeros. Throws Error unless the row and what follows
  /// it together have cols() values, and the background as many as the row.
  void add(std::span<const float> row, std::span<const float> background = {},
           std::span<const float> more = {});
  /// Lists a row of another block with as many columns.
  void add(const SparseRow& row);
  void clear() noexcept;
  /// Gives back memory that was taken for more rows.
  void shrink_to_fit();
  /// Of a block that was shrunk.
  static double bytes(std::size_t rows, std::size_t cols, std::size_t values) noexcept;

  std::size_t rows() const noexcept { return ends_.size(); }
  std::size_t cols() const noexcept { return cols_; }
  /// Until the next add().
  SparseRow row(std::size_t i) const noexcept;

 private:
  std::size_t cols_;
  std::size_t slices_;
  std::vector<std::uint32_t> starts_;  // slices + 1 a row, from where the row begins
  std::vector<std::uint32_t> offsets_;
  std::vector<float> values_;
  std::vector<std::size_t> ends_;  // of the rows
  AlignedArray<std::uint32_t> row_offsets_;
  AlignedBuffer row_values_;
};

/// c = a * b^T in float32 for rows of b.cols() values: c has a row for each of `a` and a column for
/// each of b. Each element is one chain of multiply-adds in the order of the columns, so that it
/// has the same bits wherever it stands, and those of multiply() of the same rows with their zeros.
/// All values of b must be finite. Throws Error where c has another shape.
void multiply(std::span<const SparseRow> a, const PackedRows& b, MutableMatrixView c);

/// The products of one row with the panels [first, end) of b, to out: b.width() a panel, `out` on a
/// cache line. The same bits.
void multiply(const SparseRow& row, const PackedRows& b, std::size_t first, std::size_t end,
              float* out);

/// panel += sum over the rows of factors[i] row i, in their order: b.width() factors a row, one for
/// each row of the panel, on a cache line.
void add_rows(std::span<const SparseRow> rows, const float* factors, float* panel);

}  // namespace semblance::numerics
