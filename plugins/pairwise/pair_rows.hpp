// SPDX-License-Identifier: MIT
#pragma once

#include "kernel_source.hpp"
#include "pair_columns.hpp"

namespace semblance::pairwise {

/// Rows of the pair kernel's matrix, computed from the cached matrix of the standard kernel when
/// they are asked for: a few arithmetic operations a value, whatever the standard kernel and the
/// dimension of the examples (section 5).
class PairRows final : public solvers::KernelSource {
 public:
  /// `standard` is n x n, symmetric; the pairs are of its rows.
  PairRows(const PairKernel& kernel, MatrixView standard, const PairColumns& pairs)
      : kernel_(kernel), standard_(standard), pairs_(pairs) {}

  void compute(std::span<const std::uint32_t> rows, std::size_t first_column,
               MutableMatrixView out) const override {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto a = static_cast<std::size_t>(pairs_.first()[rows[r]]);
      const auto b = static_cast<std::size_t>(pairs_.second()[rows[r]]);
      const float sign = pairs_.signs().empty() ? 0.0F : pairs_.signs()[rows[r]];
      pairs_.evaluate(kernel_, standard_.row(a), standard_.row(b), sign, first_column, out.cols,
                      out.row(r));
    }
  }
  std::size_t rows_at_once() const noexcept override { return 1; }

 private:
  const PairKernel& kernel_;
  MatrixView standard_;
  const PairColumns& pairs_;
};

}  // namespace semblance::pairwise
