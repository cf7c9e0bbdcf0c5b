// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "semblance/state.hpp"

namespace semblance::numerics {

/// Consecutive rows or columns of the symmetric kernel matrix of the training samples.
struct Range {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// A source of kernel values between training samples. All members are thread-safe.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  /// out(r, j) = k(rows[r], first_column + j). A row's values do not depend on the other rows. May
  /// throw Cancelled on a stop request.
  virtual void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
                       MutableMatrixView out) const = 0;

  /// Whether compute_in_parts() keeps parts in the processor's cache. Long rows then need not be in
  /// memory to be summed.
  virtual bool computes_in_parts() const noexcept { return false; }

  /// Calls take(column, values), values(r, j) = k(rows[r], column + j), for consecutive parts of
  /// the columns, on the calling thread. By default there is one part.
  using TakePart = std::function<void(std::size_t column, MutableMatrixView values)>;
  virtual void compute_in_parts(std::span<const std::uint32_t> rows, Range columns,
                                const TakePart& take) const;

  /// Whether compute_some() takes time in proportion to the number of columns.
  virtual bool computes_some() const noexcept { return false; }

  /// out(r, j) = k(rows[r], columns[j]), with the bits of compute(); only if computes_some().
  virtual void compute_some(std::span<const std::uint32_t> /*rows*/,
                            std::span<const std::uint32_t> /*columns*/,
                            MutableMatrixView /*out*/) const {}

  /// The row, if the matrix is in memory anyway; else null.
  virtual const float* resident(std::size_t /*row*/) const noexcept { return nullptr; }
};

inline void KernelSource::compute_in_parts(std::span<const std::uint32_t> rows, Range columns,
                                           const TakePart& take) const {
  FloatMatrix values(rows.size(), columns.count);
  compute(rows, columns.first, values.view());
  take(columns.first, values.view());
}

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
