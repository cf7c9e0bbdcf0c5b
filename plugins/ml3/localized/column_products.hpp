// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::ml3 {

/// A few interleaved vectors in double: value k of all vectors is contiguous. They may be one value
/// longer than the rows of products, which then have an implicit 1 at the end.
class VectorColumns {
 public:
  VectorColumns() = default;
  /// `count` vectors of `length` values, zeros at first.
  VectorColumns(std::size_t count, std::size_t length);
  /// From a matrix with one vector per row.
  VectorColumns(std::span<const double> rows, std::size_t count, std::size_t length);

  std::size_t count() const noexcept { return count_; }
  std::size_t length() const noexcept { return length_; }
  /// The distance between values k and k + 1 of a vector: at least count(), padded with zeros.
  std::size_t stride() const noexcept { return stride_; }
  double* at(std::size_t k) noexcept { return values_.data() + k * stride_; }
  const double* at(std::size_t k) const noexcept { return values_.data() + k * stride_; }

  /// The matrix with one vector per row.
  std::vector<double> rows() const;
  /// Adds those of another of the same shape.
  void add(const VectorColumns& other) noexcept;

 private:
  std::size_t count_ = 0;
  std::size_t length_ = 0;
  std::size_t stride_ = 0;
  numerics::AlignedArray<double> values_;
};

/// products[i * columns.stride() + c] = row i . column c, each a single chain of multiply-adds in
/// the order of the values, so that it has the same bits next to any other rows and on every CPU
/// with fused multiply-add.
void multiply(MatrixView rows, const VectorColumns& columns, double* products);

/// column c += sum over r of factors[r * columns.stride() + c] rows[r], the rows, of `cols` values
/// each, in their order.
void add_rows(std::span<const float* const> rows, std::size_t cols, const double* factors,
              VectorColumns& columns);

/// Vectors in float32 in two parts, one after the other: parts of `first` and `second` values, each
/// filled up with zeros to a multiple of `step`, from `values` on.
struct TwoParts {
  static constexpr std::size_t step = 8;
  const float* values;
  std::size_t first;
  std::size_t second;

  static constexpr std::size_t size(std::size_t first, std::size_t second) noexcept {
    return (first + step - 1) / step * step + (second + step - 1) / step * step;
  }
};

/// out[j] = the product of two dot products, of the first and of the second parts of vectors i and
/// others[j]; the same bits for (i, j) and (j, i), and on every CPU with fused multiply-add.
void kernel_values(const TwoParts& vectors, std::uint32_t i, std::span<const std::uint32_t> others,
                   float* out);

}  // namespace semblance::ml3
