// SPDX-License-Identifier: MIT
#pragma once

#include <cblas.h>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): LAPACK's names
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
// NOLINTEND(readability-identifier-naming)
}

/// The BLAS and LAPACK functions that the solvers need, for float and double, with row-major
/// matrices. Sizes are those of tiles or chunks, so they fit an int.
namespace semblance::numerics::blas {

inline int narrow(std::size_t n) noexcept { return static_cast<int>(n); }

template <class T>
struct Routines;
template <>
struct Routines<float> {
  static constexpr auto potrf = spotrf_;
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto syrk = cblas_ssyrk;
  static constexpr auto trsm = cblas_strsm;
};
template <>
struct Routines<double> {
  static constexpr auto potrf = dpotrf_;
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto syrk = cblas_dsyrk;
  static constexpr auto trsm = cblas_dtrsm;
};

/// Cholesky factor of the lower triangle; false if it is not positive definite.
template <class T>
bool factorise(std::size_t n, T* a, std::size_t stride) {
  const int order = narrow(n), lda = narrow(stride);
  int info = 0;
  Routines<T>::potrf("U", &order, a, &lda, &info);  // column-major upper is row-major lower
  return info == 0;
}

/// B = B L^-T, B with m rows.
template <class T>
void divide_right(std::size_t m, std::size_t n, const T* l, T* b, std::size_t stride) {
  Routines<T>::trsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, narrow(m),
                    narrow(n), 1, l, narrow(stride), b, narrow(stride));
}

/// B = L^-1 B, B with n columns.
template <class T>
void divide_left(std::size_t m, std::size_t n, const T* l, std::size_t l_stride, T* b,
                 std::size_t stride) {
  Routines<T>::trsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, narrow(m),
                    narrow(n), 1, l, narrow(l_stride), b, narrow(stride));
}

/// The lower triangle of C += factor A^T A over k rows.
template <class T>
void add_transposed_square(std::size_t n, std::size_t k, std::type_identity_t<T> factor, const T* a,
                           std::size_t stride, T* c, std::size_t c_stride) {
  Routines<T>::syrk(CblasRowMajor, CblasLower, CblasTrans, narrow(n), narrow(k), factor, a,
                    narrow(stride), 1, c, narrow(c_stride));
}

/// C += factor A^T B over k rows.
template <class T>
void add_transposed_product(std::size_t m, std::size_t n, std::size_t k,
                            std::type_identity_t<T> factor, const T* a, const T* b,
                            std::size_t stride, T* c, std::size_t c_stride) {
  Routines<T>::gemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(m), narrow(n), narrow(k),
                    factor, a, narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}

/// C += factor A B^T over k columns; A and B have one stride.
template <class T>
void add_product(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b,
                 std::size_t stride, T* c, std::size_t c_stride,
                 std::type_identity_t<T> factor = 1) {
  Routines<T>::gemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(m), narrow(n), narrow(k),
                    factor, a, narrow(stride), b, narrow(stride), 1, c, narrow(c_stride));
}

/// The lower triangle of C += factor A A^T over k columns.
template <class T>
void add_square(std::size_t n, std::size_t k, const T* a, std::size_t stride, T* c,
                std::size_t c_stride, std::type_identity_t<T> factor = 1) {
  Routines<T>::syrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(n), narrow(k), factor, a,
                    narrow(stride), 1, c, narrow(c_stride));
}

/// x = (L L^T)^-1 x.
inline void solve(std::size_t n, const double* l, std::size_t stride, double* x) {
  for (const CBLAS_TRANSPOSE part : {CblasNoTrans, CblasTrans})
    cblas_dtrsv(CblasRowMajor, CblasLower, part, CblasNonUnit, narrow(n), l, narrow(stride), x, 1);
}

}  // namespace semblance::numerics::blas
