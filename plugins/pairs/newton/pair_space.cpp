// SPDX-License-Identifier: MIT
#include "newton/pair_space.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "newton/products.hpp"

extern "C" void dpstrf_(const char* uplo, const int* n, double* a, const int* lda, int* pivots,
                        int* rank, const double* tolerance, double* work, int* info);

namespace semblance::pairs {
namespace {

/// matrix = inverse(triangle)' matrix inverse(triangle)
void change_basis(std::vector<double>& matrix, const std::vector<double>& triangle, std::size_t m) {
  if (matrix.empty()) return;
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, narrow(m), narrow(m),
              1, triangle.data(), narrow(m), matrix.data(), narrow(m));
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, narrow(m),
              narrow(m), 1, triangle.data(), narrow(m), matrix.data(), narrow(m));
  symmetrise(matrix, m);
}

}  // namespace

Factor Factor::of_rows(MatrixView rows, bool squared) {
  Factor f;
  f.rows = rows.rows, f.cols = rows.cols;
  f.values.reserve(f.rows * f.cols);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (const float x : rows.row_span(i)) f.values.push_back(squared ? double{x} * x : double{x});
  return f;
}

Factor Factor::of_matrix(MatrixView matrix, bool squared, double tolerance) {
  const std::size_t n = matrix.rows;
  std::vector<double> a(n * n), work(2 * n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double x = matrix.row(i)[j];
      a[i * n + j] = squared ? x * x : x;
      if (i == j) largest = std::max(largest, a[i * n + j]);
    }
  std::vector<int> order(n);
  const int size = narrow(n);
  const double limit = tolerance * largest;
  int rank = 0, info = 0;
  // The lower triangle of a column-major matrix: entry (k, t) of the factor is a[t * n + k].
  dpstrf_("L", &size, a.data(), &size, order.data(), &rank, &limit, work.data(), &info);
  const auto m = static_cast<std::size_t>(std::max(rank, 1));
  Factor f;
  f.rows = n, f.cols = m;
  f.values.assign(n * m, 0);
  f.triangle.assign(m * m, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const auto row = static_cast<std::size_t>(order[k] - 1);
    for (std::size_t t = 0; t <= std::min(k, m - 1); ++t) f.values[row * m + t] = a[t * n + k];
    if (k >= m) continue;
    f.pivots.push_back(static_cast<std::int32_t>(row));
    std::copy_n(f.values.data() + row * m, m, f.triangle.data() + k * m);
  }
  return f;
}

PairSpace::PairSpace(std::vector<FormPart> parts) : parts_(std::move(parts)) {
  for (const FormPart& part : parts_) {
    const std::size_t m = part.factor->cols;
    Offsets at;
    at.tensor = dimension_;
    at.metric = at.tensor + (part.tensor() ? m * m : 0);
    at.direct = at.metric + (part.metric() ? m * m : 0);
    dimension_ = at.direct + (part.direct() ? m : 0);
    offsets_.push_back(at);
  }
}

QuadraticForm PairSpace::form(std::size_t p, const std::vector<double>& w) const {
  const FormPart& part = parts_[p];
  const std::size_t m = part.factor->cols;
  const Offsets& at = offsets_[p];
  QuadraticForm form;
  if (part.tensor() || part.metric()) form.cross.assign(m * m, 0);
  const double tensor = std::sqrt(part.weights.tensor_learning);
  const double metric = std::sqrt(part.weights.metric_learning);
  for (std::size_t k = 0; part.tensor() && k < m * m; ++k)
    form.cross[k] += tensor * w[at.tensor + k];
  if (part.metric()) form.own.resize(m * m);
  for (std::size_t k = 0; part.metric() && k < m * m; ++k) {
    form.cross[k] -= metric * w[at.metric + k];
    form.own[k] = metric / 2 * w[at.metric + k];
  }
  for (std::size_t k = 0; part.direct() && k < m; ++k)
    form.linear.push_back(std::sqrt(part.weights.symmetric_direct_sum / 2) * w[at.direct + k]);
  return form;
}

QuadraticForm on_pivots(QuadraticForm form, const Factor& factor) {
  const std::size_t m = factor.cols;
  change_basis(form.cross, factor.triangle, m);
  change_basis(form.own, factor.triangle, m);
  if (!form.linear.empty())
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, narrow(m),
                factor.triangle.data(), narrow(m), form.linear.data(), 1);
  return form;
}

}  // namespace semblance::pairs
