// SPDX-License-Identifier: MIT
#include "localized_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::ml3 {
namespace {

constexpr std::size_t kernel_rows_a_block = 256;

double dot(const double* w, std::span<const float> x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += w[k] * double{x[k]};
  return sum;
}

}  // namespace

void Gating::weigh(std::span<const float> x, std::span<double> eta) const {
  for (std::size_t m = 0; m < kernels; ++m) eta[m] = dot(row(m), x) + row(m)[cols];
  const double most = *std::max_element(eta.begin(), eta.end());
  double sum = 0;
  for (double& e : eta) sum += e = std::exp(e - most);
  for (double& e : eta) e /= sum;
}

std::vector<double> gates_of(const Gating& gating, MatrixView rows,
                             const Surroundings& surroundings) {
  std::vector<double> gates(rows.rows * gating.kernels);
  surroundings.parallel_for(
      (rows.rows + kernel_rows_a_block - 1) / kernel_rows_a_block, [&](std::size_t b) {
        for (std::size_t i = b * kernel_rows_a_block;
             i < std::min((b + 1) * kernel_rows_a_block, rows.rows); ++i)
          gating.weigh(rows.row_span(i), {gates.data() + i * gating.kernels, gating.kernels});
      });
  return gates;
}

void combine(MatrixView linear, const std::vector<double>& gates, std::size_t kernels,
             MutableMatrixView combined, const Surroundings& surroundings) {
  surroundings.parallel_for(
      (linear.rows + kernel_rows_a_block - 1) / kernel_rows_a_block, [&](std::size_t b) {
        if (surroundings.stop()) return;  // so does the machine, before it looks at any value
        for (std::size_t i = b * kernel_rows_a_block;
             i < std::min((b + 1) * kernel_rows_a_block, linear.rows); ++i) {
          const double* own = gates.data() + i * kernels;
          for (std::size_t j = 0; j < linear.cols; ++j) {
            const double* other = gates.data() + j * kernels;
            double sum = 0;
            for (std::size_t m = 0; m < kernels; ++m) sum += own[m] * other[m];
            combined.row(i)[j] = static_cast<float>(sum * double{linear.row(i)[j]});
          }
        }
      });
}

std::vector<double> local_weights(MatrixView rows, const std::vector<double>& gates,
                                  std::size_t kernels, const std::vector<double>& coefficients) {
  std::vector<double> weights(kernels * rows.cols);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (coefficients[i] == 0) continue;
    for (std::size_t m = 0; m < kernels; ++m) {
      const double factor = coefficients[i] * gates[i * kernels + m];
      for (std::size_t k = 0; k < rows.cols; ++k)
        weights[m * rows.cols + k] += factor * double{rows.row(i)[k]};
    }
  }
  return weights;
}

// J = sum alpha - 1/2 sum over h |w_h|^2 with w_h = sum b_i eta_h(x_i) x_i. So dJ / d eta_h(x_i) =
// - b_i x_i . w_h, and the softmax gives d eta_h / d v_m = eta_h (delta_hm - eta_m) x.
Gating dual_gradient(MatrixView rows, const std::vector<double>& gates, std::size_t kernels,
                     const std::vector<double>& coefficients) {
  const std::vector<double> weights = local_weights(rows, gates, kernels, coefficients);
  Gating gradient(kernels, rows.cols);
  std::vector<double> parts(kernels);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    if (coefficients[i] == 0) continue;
    const double* eta = gates.data() + i * kernels;
    double sum = 0;
    for (std::size_t m = 0; m < kernels; ++m)
      sum += parts[m] = eta[m] * dot(weights.data() + m * rows.cols, rows.row_span(i));
    for (std::size_t m = 0; m < kernels; ++m) {
      const double factor = -coefficients[i] * (parts[m] - eta[m] * sum);
      for (std::size_t k = 0; k < rows.cols; ++k)
        gradient.row(m)[k] += factor * double{rows.row(i)[k]};
      gradient.row(m)[rows.cols] += factor;
    }
  }
  return gradient;
}

}  // namespace semblance::ml3
