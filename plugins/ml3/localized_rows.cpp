// SPDX-License-Identifier: MIT
#include "localized_rows.hpp"

#include <algorithm>

namespace semblance::ml3 {

LocalizedRows::LocalizedRows(MatrixView rows, std::size_t kernels)
    : rows_(rows), kernels_(kernels), vectors_(rows.rows * TwoParts::size(rows.cols, kernels)) {
  std::fill_n(vectors_.data(), vectors_.size(), 0.0F);
  for (std::size_t i = 0; i < rows.rows; ++i)
    std::copy_n(rows.row(i), rows.cols, vectors_.data() + i * TwoParts::size(rows.cols, kernels));
}

void LocalizedRows::set_gates(const std::vector<double>& gates) {
  gates_ = &gates;
  float* second = vectors_.data() + TwoParts::size(rows_.cols, 0);
  for (std::size_t i = 0; i < rows_.rows; ++i, second += TwoParts::size(rows_.cols, kernels_))
    std::transform(gates.data() + i * kernels_, gates.data() + (i + 1) * kernels_, second,
                   [](double eta) { return static_cast<float>(eta); });
}

void LocalizedRows::values(std::uint32_t variable, std::span<const std::uint32_t> others,
                           float* out) const {
  kernel_values({vectors_.data(), rows_.cols, kernels_}, variable, others, out);
}

void LocalizedRows::add(std::span<const std::uint32_t> variables, std::span<const double> factors,
                        std::span<double> sums, Context& context) const {
  VectorColumns weights(kernels_, rows_.cols);
  std::vector<double> shares(variables.size() * weights.stride());
  std::vector<const float*> x;
  x.reserve(variables.size());
  for (std::size_t r = 0; r < variables.size(); ++r) {
    const double* eta = gates_->data() + variables[r] * kernels_;
    for (std::size_t m = 0; m < kernels_; ++m)
      shares[r * weights.stride() + m] = factors[r] * eta[m];
    x.push_back(rows_.row(variables[r]));
  }
  add_rows(x, rows_.cols, shares.data(), weights);
  const std::vector<double> values = local_values(rows_, *gates_, weights, {context});
  for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += values[j];
}

std::size_t LocalizedRows::bytes(std::size_t rows, std::size_t cols, std::size_t kernels) noexcept {
  return rows * TwoParts::size(cols, kernels) * sizeof(float);
}

}  // namespace semblance::ml3
