// SPDX-License-Identifier: MIT
#pragma once

#include <cblas.h>

#include <cstddef>

extern "C" {
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
}

/// The BLAS and LAPACK functions that the solvers need, for float and double, with row-major
/// matrices. Sizes are those of tiles or chunks, so they fit an int.
namespace semblance::numerics::blas {

inline int narrow(std::size_t n) noexcept { return static_cast<int>(n); }

/// Cholesky factor of the lower triangle; false if it is not positive definite.
inline bool factorise(std::size_t n, float* a, std::size_t stride) {
  const int order = narrow(n), lda = narrow(stride);
  int info = 0;
  spotrf_("U", &order, a, &lda, &info);  // column-major upper is row-major lower
  return info == 0;
}
inline bool factorise(std::size_t n, double* a, std::size_t stride) {
  const int order = narrow(n), lda = narrow(stride);
  int info = 0;
  dpotrf_("U", &order, a, &lda, &info);
  return info == 0;
}

/// B = B L^-T, B with m rows.
inline void divide_right(std::size_t m, std::size_t n, const float* l, float* b,
                         std::size_t stride) {
  cblas_strsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(m), narrow(n),
              1, l, narrow(stride), b, narrow(stride));
}
inline void divide_right(std::size_t m, std::size_t n, const double* l, double* b,
                         std::size_t stride) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(m), narrow(n),
              1, l, narrow(stride), b, narrow(stride));
}

/// B = L^-1 B, B with n columns.
inline void divide_left(std::size_t m, std::size_t n, const float* l, std::size_t l_stride,
                        float* b, std::size_t stride) {
  cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, narrow(m),
              narrow(n), 1, l, narrow(l_stride), b, narrow(stride));
}

/// The lower triangle of C += factor A^T A over k rows.
inline void add_transposed_square(std::size_t n, std::size_t k, float factor, const float* a,
                                  std::size_t stride, float* c, std::size_t c_stride) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, narrow(n), narrow(k), factor, a,
              narrow(stride), 1, c, narrow(c_stride));
}
inline void add_transposed_square(std::size_t n, std::size_t k, double factor, const double* a,
                                  std::size_t stride, double* c, std::size_t c_stride) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, narrow(n), narrow(k), factor, a,
              narrow(stride), 1, c, narrow(c_stride));
}

/// C += factor A^T B over k rows.
inline void add_transposed_product(std::size_t m, std::size_t n, std::size_t k, float factor,
                                   const float* a, const float* b, std::size_t stride, float* c,
                                   std::size_t c_stride) {
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(m), narrow(n), narrow(k), factor, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}
inline void add_transposed_product(std::size_t m, std::size_t n, std::size_t k, double factor,
                                   const double* a, const double* b, std::size_t stride, double* c,
                                   std::size_t c_stride) {
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(m), narrow(n), narrow(k), factor, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}

/// C -= A B^T over k columns.
inline void subtract_product(std::size_t m, std::size_t n, std::size_t k, const float* a,
                             const float* b, float* c, std::size_t stride) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(m), narrow(n), narrow(k), -1, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(stride));
}
inline void subtract_product(std::size_t m, std::size_t n, std::size_t k, const double* a,
                             const double* b, double* c, std::size_t stride) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(m), narrow(n), narrow(k), -1, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(stride));
}

/// The lower triangle of C -= A A^T over k columns.
inline void subtract_square(std::size_t n, std::size_t k, const float* a, float* c,
                            std::size_t stride) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(n), narrow(k), -1, a, narrow(stride),
              1, c, narrow(stride));
}
inline void subtract_square(std::size_t n, std::size_t k, const double* a, double* c,
                            std::size_t stride) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(n), narrow(k), -1, a, narrow(stride),
              1, c, narrow(stride));
}

/// C += A B^T over k columns; A and B have one stride.
inline void add_product(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                        std::size_t stride, float* c, std::size_t c_stride) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(m), narrow(n), narrow(k), 1, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}
inline void add_product(std::size_t m, std::size_t n, std::size_t k, const double* a,
                        const double* b, std::size_t stride, double* c, std::size_t c_stride) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(m), narrow(n), narrow(k), 1, a,
              narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}

/// The lower triangle of C += A A^T over k columns.
inline void add_square(std::size_t n, std::size_t k, const float* a, std::size_t stride, float* c,
                       std::size_t c_stride) {
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(n), narrow(k), 1, a, narrow(stride),
              1, c, narrow(c_stride));
}
inline void add_square(std::size_t n, std::size_t k, const double* a, std::size_t stride, double* c,
                       std::size_t c_stride) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(n), narrow(k), 1, a, narrow(stride),
              1, c, narrow(c_stride));
}

/// x = L^-T x.
inline void solve_transposed(std::size_t n, const double* l, std::size_t stride, double* x) {
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, narrow(n), l, narrow(stride), x,
              1);
}

/// x = (L L^T)^-1 x.
inline void solve(std::size_t n, const float* l, std::size_t stride, float* x) {
  cblas_strsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, narrow(n), l, narrow(stride),
              x, 1);
  cblas_strsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, narrow(n), l, narrow(stride), x,
              1);
}
inline void solve(std::size_t n, const double* l, std::size_t stride, double* x) {
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, narrow(n), l, narrow(stride),
              x, 1);
  cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, narrow(n), l, narrow(stride), x,
              1);
}

}  // namespace semblance::numerics::blas
