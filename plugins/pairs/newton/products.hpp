// SPDX-License-Identifier: MIT
#pragma once

#include <cblas.h>

#include <cstddef>
#include <vector>

/// BLAS in both precisions, and sums that must not lose digits.
namespace semblance::pairs {

/// Converts sizes to BLAS's type.
inline int narrow(std::size_t n) noexcept { return static_cast<int>(n); }

/// <a, b>, always in the same order of summation.
inline double dot(const double* a, const double* b, std::size_t count) noexcept {
  return cblas_ddot(narrow(count), a, 1, b, 1);
}
inline float dot(const float* a, const float* b, std::size_t count) noexcept {
  return cblas_sdot(narrow(count), a, 1, b, 1);
}

/// to += factor * from
inline void add_scaled(double factor, const double* from, double* to, std::size_t count) noexcept {
  cblas_daxpy(narrow(count), factor, from, 1, to, 1);
}
inline void add_scaled(float factor, const float* from, float* to, std::size_t count) noexcept {
  cblas_saxpy(narrow(count), factor, from, 1, to, 1);
}

struct ProductShape {
  std::size_t rows, cols, inner;
};

/// C = op(A) op(B), row-major with these strides.
inline void multiply(CBLAS_TRANSPOSE of_a, CBLAS_TRANSPOSE of_b, ProductShape s, const float* a,
                     std::size_t lda, const float* b, std::size_t ldb, float* c,
                     std::size_t ldc) noexcept {
  cblas_sgemm(CblasRowMajor, of_a, of_b, narrow(s.rows), narrow(s.cols), narrow(s.inner), 1, a,
              narrow(lda), b, narrow(ldb), 0, c, narrow(ldc));
}
inline void multiply(CBLAS_TRANSPOSE of_a, CBLAS_TRANSPOSE of_b, ProductShape s, const double* a,
                     std::size_t lda, const double* b, std::size_t ldb, double* c,
                     std::size_t ldc) noexcept {
  cblas_dgemm(CblasRowMajor, of_a, of_b, narrow(s.rows), narrow(s.cols), narrow(s.inner), 1, a,
              narrow(lda), b, narrow(ldb), 0, c, narrow(ldc));
}

/// (M + M') / 2 in place; an empty matrix stays empty.
inline void symmetrise(std::vector<double>& matrix, std::size_t size) {
  for (std::size_t i = 0; i < size && !matrix.empty(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      matrix[i * size + j] = matrix[j * size + i] =
          (matrix[i * size + j] + matrix[j * size + i]) / 2;
}

/// Products run on the context's threads, one block each: the same bits for any number of threads.
inline void use_one_blas_thread() { openblas_set_num_threads(1); }

}  // namespace semblance::pairs
