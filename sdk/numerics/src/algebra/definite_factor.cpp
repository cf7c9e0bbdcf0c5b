// SPDX-License-Identifier: MIT
#include "semblance_numerics/definite_factor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "semblance_numerics/blas.hpp"
#include "semblance_numerics/cholesky.hpp"

extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): LAPACK's name
void dgelqf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* work_size, int* info);
}

namespace semblance::numerics {
namespace {

constexpr std::size_t rows_at_once = 64;  // of an inverse factor
constexpr std::size_t fewest_rows = 256;  // of a stack, besides the triangle

/// The first `count` rows v become L^-1 v, from column `first` on; they are 0 before it.
void divide(const Vectors<double>& lower, std::size_t first, double* rows, std::size_t count,
            std::size_t stride) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, blas::narrow(count),
              blas::narrow(lower.cols() - first), 1, lower.row(first) + first,
              blas::narrow(lower.stride()), rows, blas::narrow(stride));
}

double squared_norm(const double* v, std::size_t n) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += v[j] * v[j];
  return sum;
}

}  // namespace

std::optional<DefiniteFactor> DefiniteFactor::of_matrix(Vectors<double> matrix, Context& context) {
  openblas_set_num_threads(1);
  const std::size_t n = matrix.count();
  std::vector<double> diagonal(n);
  for (std::size_t j = 0; j < n; ++j) diagonal[j] = matrix.row(j)[j];
  const Factorisation result = numerics::factorise(matrix, context);
  if (result == Factorisation::stopped) throw Cancelled();
  if (result == Factorisation::indefinite) return std::nullopt;
  DefiniteFactor factor;
  for (std::size_t j = 0; j < n; ++j) {
    const double pivot = matrix.row(j)[j] * matrix.row(j)[j] / diagonal[j];
    if (!std::isfinite(pivot)) return std::nullopt;
    factor.least_pivot_ = std::min(factor.least_pivot_, pivot);
  }
  factor.lower_ = std::move(matrix);
  return factor;
}

std::optional<DefiniteFactor> DefiniteFactor::of_triangle(const Vectors<double>& upper,
                                                          std::size_t n) {
  DefiniteFactor factor;
  factor.lower_ = Vectors<double>(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = upper.row(i);
    if (row[i] == 0 || !std::isfinite(row[i])) return std::nullopt;
    for (std::size_t j = i; j < n; ++j) factor.lower_.row(j)[i] = row[j];
  }
  return factor;
}

double DefiniteFactor::log_determinant() const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += std::log(std::abs(lower_.row(i)[i]));
  return 2 * sum;
}

void DefiniteFactor::solve(Vectors<double>& vectors) const {
  divide(lower_, 0, vectors.row(0), vectors.count(), vectors.stride());
  solve_transposed(vectors);
}

void DefiniteFactor::solve_transposed(Vectors<double>& vectors) const {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit,
              blas::narrow(vectors.count()), blas::narrow(lower_.cols()), 1, lower_.row(0),
              blas::narrow(lower_.stride()), vectors.row(0), blas::narrow(vectors.stride()));
}

void DefiniteFactor::quadratic_forms(Vectors<double>& vectors, std::span<double> forms) const {
  divide(lower_, 0, vectors.row(0), forms.size(), vectors.stride());
  for (std::size_t r = 0; r < forms.size(); ++r)
    forms[r] = squared_norm(vectors.row(r), lower_.cols());
}

std::vector<double> DefiniteFactor::inverse_diagonal(Context& context, std::size_t start) const {
  const std::size_t n = size();
  std::vector<double> found(n - start);
  context.parallel_for((n - start + rows_at_once - 1) / rows_at_once, [&](std::size_t block) {
    context.check_stop();
    const std::size_t first = start + block * rows_at_once,
                      count = std::min(rows_at_once, n - first);
    Vectors<double> rows(count, n - first);
    for (std::size_t r = 0; r < count; ++r) rows.row(r)[r] = 1;
    divide(lower_, first, rows.row(0), count, rows.stride());
    for (std::size_t r = 0; r < count; ++r)
      found[first - start + r] = squared_norm(rows.row(r), n - first);
  });
  return found;
}

RowTriangle::RowTriangle(std::size_t cols)
    : stack_(cols + std::max(cols, fewest_rows), cols), filled_(cols) {}

void RowTriangle::reduce() {
  openblas_set_num_threads(1);
  const std::size_t n = cols();
  if (filled_ == n) return;
  // Row-major rows are LAPACK's columns: the LQ decomposition of the transposed stack.
  constexpr std::size_t block = 64;
  const int m = blas::narrow(n), count = blas::narrow(filled_), lda = blas::narrow(stack_.stride());
  std::vector<double> tau(n), work(n * block);
  const int work_size = blas::narrow(work.size());
  int info = 0;
  dgelqf_(&m, &count, stack_.row(0), &lda, tau.data(), work.data(), &work_size, &info);
  if (info != 0)
    throw Error("internal error: LAPACK's gelqf refused an argument: " + std::to_string(info));
  for (std::size_t i = 0; i < n; ++i) std::fill_n(stack_.row(i), i, 0.0);
  for (std::size_t i = n; i < filled_; ++i) std::fill_n(stack_.row(i), stack_.stride(), 0.0);
  filled_ = n;
}

RowTriangle RowTriangle::with_diagonal(double diagonal, std::size_t count) const {
  RowTriangle made(cols());
  for (std::size_t i = 0; i < cols(); ++i) std::copy_n(stack_.row(i), cols(), made.stack_.row(i));
  for (std::size_t i = 0; i < count; ++i) {
    made.next()[i] = diagonal;
    made.done();
  }
  made.reduce();
  return made;
}

std::size_t RowTriangle::bytes(std::size_t cols) noexcept {
  return ((cols + std::max(cols, fewest_rows)) * padded(cols) + 65 * cols) * sizeof(double);
}

}  // namespace semblance::numerics
