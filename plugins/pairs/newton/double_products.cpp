// SPDX-License-Identifier: MIT
#include "newton/double_products.hpp"

#include <cblas.h>

namespace semblance::pairs {

double dot(const double* a, const double* b, std::size_t count) noexcept {
  return cblas_ddot(static_cast<int>(count), a, 1, b, 1);
}

void add_scaled(double factor, const double* from, double* to, std::size_t count) noexcept {
  cblas_daxpy(static_cast<int>(count), factor, from, 1, to, 1);
}

void symmetrise(std::vector<double>& matrix, std::size_t size) {
  if (matrix.empty()) return;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double mean = (matrix[i * size + j] + matrix[j * size + i]) / 2;
      matrix[i * size + j] = matrix[j * size + i] = mean;
    }
}

void use_one_blas_thread() { openblas_set_num_threads(1); }

}  // namespace semblance::pairs
