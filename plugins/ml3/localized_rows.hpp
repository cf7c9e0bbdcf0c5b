// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "localized_kernel.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::ml3 {

/// The locally combined linear kernel between training samples, for the dual solver: a value takes
/// cols + kernels multiply-adds, in float32; sums over it use the local weights, in double. The
/// rows must outlive it.
class LocalizedRows final : public numerics::DirectKernel {
 public:
  LocalizedRows(MatrixView rows, std::size_t kernels);

  /// The gates from now on, a row for each row; they must outlive their use.
  void set_gates(const std::vector<double>& gates);

  void values(std::uint32_t variable, std::span<const std::uint32_t> others,
              float* out) const override;
  void add(std::span<const std::uint32_t> variables, std::span<const double> factors,
           std::span<double> sums, Context& context) const override;

  static std::size_t bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept;

 private:
  MatrixView rows_;
  std::size_t kernels_;
  const std::vector<double>* gates_ = nullptr;
  numerics::AlignedBuffer vectors_;  // TwoParts: rows, and their gates
};

}  // namespace semblance::ml3
