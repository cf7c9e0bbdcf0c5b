// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "semblance/matrix.hpp"
#include "semblance_numerics/aligned_array.hpp"

namespace semblance::ml3 {

/// Values per row, padded to whole cache lines.
inline constexpr std::size_t padded(std::size_t cols) noexcept { return (cols + 15) / 16 * 16; }

/// A float32 matrix whose rows start on cache lines and are padded with zeros. As W of eq. (6): row
/// y * models + j is model j of class y.
class ModelMatrix {
 public:
  ModelMatrix() = default;
  ModelMatrix(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), stride_(padded(cols)), values_(rows * padded(cols)) {
    fill(0);
  }

  std::size_t rows() const noexcept { return rows_; }
  std::size_t cols() const noexcept { return cols_; }
  std::size_t stride() const noexcept { return stride_; }
  float* row(std::size_t i) noexcept { return values_.data() + i * stride_; }
  const float* row(std::size_t i) const noexcept { return values_.data() + i * stride_; }
  MatrixView view() const noexcept { return {values_.data(), rows_, cols_, stride_}; }
  MutableMatrixView view() noexcept { return {values_.data(), rows_, cols_, stride_}; }
  void fill(float x) noexcept { std::fill_n(values_.data(), values_.size(), x); }

  /// The squared Frobenius norm.
  double squared_norm() const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i)
      sum += double{values_.data()[i]} * double{values_.data()[i]};
    return sum;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;
  numerics::AlignedBuffer values_;
};

}  // namespace semblance::ml3
