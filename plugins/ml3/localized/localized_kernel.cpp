// SPDX-License-Identifier: MIT
#include "localized/localized_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace semblance::ml3 {
namespace {

constexpr std::size_t gated_rows_per_block = 512;

/// Calls body(block, first, count) for blocks of rows that do not depend on the threads.
void for_gated_blocks(std::size_t rows, const Surroundings& surroundings,
                      const std::function<void(std::size_t, std::size_t, std::size_t)>& body) {
  const auto block = [&](std::size_t b) {
    const std::size_t first = b * gated_rows_per_block;
    body(b, first, std::min(gated_rows_per_block, rows - first));
  };
  if (rows <= gated_rows_per_block)
    block(0);
  else
    surroundings.parallel_for((rows + gated_rows_per_block - 1) / gated_rows_per_block, block);
}

/// Calls body(i, products of row i with the columns) for all rows.
template <class Body>
void for_local_products(MatrixView rows, const VectorColumns& columns,
                        const Surroundings& surroundings, const Body& body) {
  for_gated_blocks(rows.rows, surroundings, [&](std::size_t, std::size_t first, std::size_t count) {
    numerics::AlignedArray<double> products(count * columns.stride());
    multiply(rows.rows_range(first, count), columns, products.data());
    for (std::size_t i = 0; i < count; ++i)
      body(first + i, {products.data() + i * columns.stride(), columns.count()});
  });
}

/// Sets the factors of row i for every column, or returns false if the row is skipped.
using Factors = std::function<bool(std::size_t i, double* factors)>;

/// Sums of rows, one per column, by blocks of rows in order.
VectorColumns row_sums(MatrixView rows, std::size_t count, std::size_t length,
                       const Factors& factors, const Surroundings& surroundings) {
  std::vector<VectorColumns> sums(
      std::max<std::size_t>(1, (rows.rows + gated_rows_per_block - 1) / gated_rows_per_block));
  for_gated_blocks(rows.rows, surroundings, [&](std::size_t b, std::size_t first, std::size_t n) {
    VectorColumns sum(count, length);
    std::vector<double> values((n + 1) * sum.stride());
    std::vector<const float*> taken;
    for (std::size_t i = first; i < first + n; ++i)
      if (factors(i, values.data() + taken.size() * sum.stride())) taken.push_back(rows.row(i));
    add_rows(taken, rows.cols, values.data(), sum);
    sums[b] = std::move(sum);
  });
  for (std::size_t b = 1; b < sums.size(); ++b) sums[0].add(sums[b]);
  return std::move(sums[0]);
}

}  // namespace

void softmax(std::span<double> values) {
  const double most = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (double& e : values) sum += e = std::exp(e - most);
  for (double& e : values) e /= sum;
}

std::vector<double> gates_of(const Gating& gating, MatrixView rows,
                             const Surroundings& surroundings) {
  std::vector<double> gates(rows.rows * gating.kernels);
  const VectorColumns columns(gating.values, gating.kernels, gating.cols + 1);
  for_local_products(rows, columns, surroundings, [&](std::size_t i, std::span<double> values) {
    softmax(values);
    std::copy(values.begin(), values.end(), gates.data() + i * gating.kernels);
  });
  return gates;
}

VectorColumns local_weights(MatrixView rows, const std::vector<double>& gates, std::size_t kernels,
                            const std::vector<double>& coefficients,
                            const Surroundings& surroundings) {
  const auto factors = [&](std::size_t i, double* out) {
    for (std::size_t m = 0; m < kernels; ++m) out[m] = coefficients[i] * gates[i * kernels + m];
    return coefficients[i] != 0;
  };
  return row_sums(rows, kernels, rows.cols, factors, surroundings);
}

std::vector<double> local_values(MatrixView rows, const std::vector<double>& gates,
                                 const VectorColumns& weights, const Surroundings& surroundings) {
  std::vector<double> values(rows.rows);
  for_local_products(rows, weights, surroundings, [&](std::size_t i, std::span<double> products) {
    const double* eta = gates.data() + i * products.size();
    double sum = 0;
    for (std::size_t m = 0; m < products.size(); ++m) sum += eta[m] * products[m];
    values[i] = sum;
  });
  return values;
}

// J = sum alpha - 1/2 sum over h |w_h|^2 with w_h = sum b_i eta_h(x_i) x_i. So dJ / d eta_h(x_i) =
// - b_i x_i . w_h, and the softmax gives d eta_h / d v_m = eta_h (delta_hm - eta_m) x.
Gating dual_gradient(MatrixView rows, const std::vector<double>& gates,
                     const VectorColumns& weights, const std::vector<double>& coefficients,
                     const Surroundings& surroundings) {
  const std::size_t kernels = weights.count();
  std::vector<double> parts(rows.rows * kernels);
  for_local_products(rows, weights, surroundings, [&](std::size_t i, std::span<double> products) {
    std::copy(products.begin(), products.end(), parts.data() + i * kernels);
  });
  const auto factors = [&](std::size_t i, double* out) {
    const double* eta = gates.data() + i * kernels;
    const double* part = parts.data() + i * kernels;
    double sum = 0;
    for (std::size_t m = 0; m < kernels; ++m) sum += out[m] = eta[m] * part[m];
    for (std::size_t m = 0; m < kernels; ++m) out[m] = -coefficients[i] * (out[m] - eta[m] * sum);
    return coefficients[i] != 0;
  };
  Gating gradient(kernels, rows.cols);
  gradient.values = row_sums(rows, kernels, rows.cols + 1, factors, surroundings).rows();
  return gradient;
}

}  // namespace semblance::ml3
