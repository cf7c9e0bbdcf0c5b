// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "kernels/pair_columns.hpp"
#include "kernels/pair_sums.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::pairs {

/// The pair kernel's values between training pairs, computed from the cached matrix of the standard
/// kernel whenever they are needed: a few operations per value, for any standard kernel and
/// dimension (section 5). Computing a row takes about as long as reading it from memory, so rows
/// are not cached. Sums over many rows are matrix products if the kernel factors and that is
/// faster.
class PairRows final : public numerics::DirectKernel {
 public:
  /// How sums over rows are computed.
  enum class Sums { rows, products, cheaper };

  /// `standard` is n x n, symmetric; the pairs refer to its rows, ascending by their first example
  /// if the kernel is symmetric. Products require is_pair_sum().
  PairRows(const PairKernel& kernel, MatrixView standard, const PairColumns& pairs,
           Sums how = Sums::cheaper);

  void values(std::uint32_t variable, std::span<const std::uint32_t> others,
              float* out) const override;
  void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
           std::span<double> sums, Context& context) const override;

 private:
  void add_rows(std::span<const std::uint32_t> variables, std::span<const double> factors,
                std::size_t first, std::span<double> sums) const;
  void row(std::uint32_t variable, std::size_t first, std::size_t count, float* out) const;

  const PairKernel& kernel_;
  MatrixView standard_;
  const PairColumns& pairs_;
  Sums how_;
  std::optional<PairSums<double>> products_;
};

}  // namespace semblance::pairs
