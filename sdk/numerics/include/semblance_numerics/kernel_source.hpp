// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "semblance/matrix.hpp"

namespace semblance::numerics {

/// Consecutive rows, or columns, of the training rows' symmetric kernel matrix.
struct Range {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Where kernel values between training rows come from. All members are thread-safe.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  /// out(r, j) = k(rows[r], first_column + j). The values of a row do not depend on the others.
  /// May throw Cancelled on a stop request.
  virtual void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                       MutableMatrixView out) const = 0;

  /// Whether compute() is collective (Collectives): all ranks call it alike, one call after the
  /// other, from the thread that called the component. Then each has some of the columns, and these
  /// are counted; `first_column` and the number of columns differ between ranks.
  virtual bool collective() const noexcept { return false; }

  /// The row of a matrix that is in memory anyway; else nothing.
  virtual const float* resident(std::size_t /*row*/) const noexcept { return nullptr; }
};

/// A symmetric matrix in memory.
class MatrixSource final : public KernelSource {
 public:
  explicit MatrixSource(MatrixView matrix) : matrix_(matrix) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override {
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < out.cols; ++j)
        out.row(r)[j] = matrix_.row(rows[r])[first_column + j];
  }
  const float* resident(std::size_t row) const noexcept override { return matrix_.row(row); }

 private:
  MatrixView matrix_;
};

}  // namespace semblance::numerics
