// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "problem.hpp"
#include "semblance/state.hpp"

namespace semblance::ml3 {

/// The gates of localized multiple kernel learning: eta_m(x) = exp(v_m . x + v_m0) over the sum of
/// all, for each local kernel m. A row of `values` a kernel, v_m0 last.
struct Gating {
  std::size_t kernels = 0;
  std::size_t cols = 0;  ///< of the rows, without the constant
  std::vector<double> values;

  Gating() = default;
  Gating(std::size_t m, std::size_t d) : kernels(m), cols(d), values(m * (d + 1)) {}
  double* row(std::size_t m) noexcept { return values.data() + m * (cols + 1); }
  const double* row(std::size_t m) const noexcept { return values.data() + m * (cols + 1); }

  /// eta(x); they sum to 1.
  void weigh(std::span<const float> x, std::span<double> eta) const;
};

/// eta of all rows, one row each.
std::vector<double> gates_of(const Gating& gating, MatrixView rows,
                             const Surroundings& surroundings);

/// The locally combined linear kernel
///
///     k(x, x') = sum over m of eta_m(x) (x . x') eta_m(x')
///
/// of all pairs of rows, from their linear kernel.
void combine(MatrixView linear, const std::vector<double>& gates, std::size_t kernels,
             MutableMatrixView combined, const Surroundings& surroundings);

/// The weights w_m = sum over i of b_i eta_m(x_i) x_i of each kernel (kernels x cols), so that the
/// decision value of x is sum over m of eta_m(x) w_m . x + bias.
std::vector<double> local_weights(MatrixView rows, const std::vector<double>& gates,
                                  std::size_t kernels, const std::vector<double>& coefficients);

/// The gradient with respect to the gating of J = max of the SVM's dual with the combined kernel,
/// at its maximum b_i = alpha_i y_i (Gönen and Alpaydin 2008, section 3.3). The coefficients count
/// as fixed, which is exact at the maximum.
Gating dual_gradient(MatrixView rows, const std::vector<double>& gates, std::size_t kernels,
                     const std::vector<double>& coefficients);

}  // namespace semblance::ml3
