// SPDX-License-Identifier: MIT
#pragma once

#include "dual_problem.hpp"
#include "pair_columns.hpp"

namespace semblance::pairwise {

/// The pair kernel's values between training pairs, computed from the cached matrix of the standard
/// kernel whenever they are needed: a few arithmetic operations a value, whatever the standard
/// kernel and the dimension of the examples (section 5). A row takes about as long to compute as to
/// read from memory, so none is kept.
class PairRows final : public solvers::DirectKernel {
 public:
  /// `standard` is n x n, symmetric; the pairs are of its rows.
  PairRows(const PairKernel& kernel, MatrixView standard, const PairColumns& pairs)
      : kernel_(kernel), standard_(standard), pairs_(pairs) {}

  void values(std::uint32_t variable, std::span<const std::uint32_t> others,
              float* out) const override;
  void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
           std::size_t first, std::span<double> sums) const override;

 private:
  void row(std::uint32_t variable, std::size_t first, std::size_t count, float* out) const;

  const PairKernel& kernel_;
  MatrixView standard_;
  const PairColumns& pairs_;
};

}  // namespace semblance::pairwise
