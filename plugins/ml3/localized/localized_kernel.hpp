// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "localized/column_products.hpp"
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
};

/// Makes eta_m of v_m . x + v_m0, in place; they sum to 1.
void softmax(std::span<double> values);

/// eta of all rows, one row each.
std::vector<double> gates_of(const Gating& gating, MatrixView rows,
                             const Surroundings& surroundings);

/// The weights w_m = sum over i of b_i eta_m(x_i) x_i of each kernel m (columns of `rows.cols`
/// values), so that the decision value of x is sum over m of eta_m(x) w_m . x + bias. The locally
/// combined linear kernel is their product:
///
///     k(x, x') = sum over m of eta_m(x) (x . x') eta_m(x')
///
/// so that sums over it take rows x kernels x cols operations instead of rows x rows.
VectorColumns local_weights(MatrixView rows, const std::vector<double>& gates, std::size_t kernels,
                            const std::vector<double>& coefficients,
                            const Surroundings& surroundings);

/// sum over m of eta_m(x_i) w_m . x_i, of all rows: with local_weights(), the sums over j of
/// k(x_i, x_j) b_j.
std::vector<double> local_values(MatrixView rows, const std::vector<double>& gates,
                                 const VectorColumns& weights, const Surroundings& surroundings);

/// The gradient with respect to the gating of J = max of the SVM's dual with the combined kernel,
/// at its maximum b_i = alpha_i y_i (Gönen and Alpaydin 2008, section 3.3). The coefficients count
/// as fixed, which is exact at the maximum. `weights` are their local_weights().
Gating dual_gradient(MatrixView rows, const std::vector<double>& gates,
                     const VectorColumns& weights, const std::vector<double>& coefficients,
                     const Surroundings& surroundings);

}  // namespace semblance::ml3
