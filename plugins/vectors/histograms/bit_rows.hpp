// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "semblance/context.hpp"
#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::vectors {

/// Rows whose values are all 0 or 1, one bit per value: panels of `width` rows, in which word k of
/// all rows is contiguous. The last panel is padded with zeros.
class BitRows {
 public:
  enum class Side { samples, bases };

  /// Longer rows could have more bits than float32 counts exactly.
  static constexpr std::size_t most_columns = std::size_t{1} << 22;

  /// None if a value is neither 0 nor 1, or there are more than most_columns columns.
  static std::optional<BitRows> of(MatrixView rows, Side side);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t width() const noexcept { return width_; }
  std::size_t words() const noexcept { return words_; }
  std::size_t panels() const noexcept { return (rows_ + width_ - 1) / width_; }
  const std::uint32_t* panel(std::size_t p) const noexcept {
    return bits_.data() + p * words_ * width_;
  }
  /// The number of bits of each of the panel's rows.
  const float* counts(std::size_t p) const noexcept { return counts_.data() + p * width_; }

 private:
  BitRows(std::size_t rows, std::size_t columns, std::size_t width);
  bool set(MatrixView rows);

  std::size_t rows_;
  std::size_t width_;
  std::size_t words_;
  numerics::AlignedArray<std::uint32_t> bits_;
  std::vector<float> counts_;
};

/// out(i, j) = |a and b| / |a or b| of row i of `samples` and row first + j of `bases`, and 1 where
/// both are empty. They have equally many columns. Polls the context.
void bit_tanimoto(const BitRows& samples, const BitRows& bases, std::size_t first,
                  MutableMatrixView out, Context& context);

}  // namespace semblance::vectors
