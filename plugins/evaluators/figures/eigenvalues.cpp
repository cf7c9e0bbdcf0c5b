// SPDX-License-Identifier: MIT
#include "figures/eigenvalues.hpp"

#include <cblas.h>

#include <algorithm>
#include <string>

#include "semblance/error.hpp"

extern "C" {
void dlatrd_(const char* uplo, const int* n, const int* panel, double* a, const int* lda, double* e,
             double* tau, double* w, const int* ldw);
void dsytd2_(const char* uplo, const int* n, double* a, const int* lda, double* d, double* e,
             double* tau, int* info);
void dsterf_(const int* n, double* d, double* e, int* info);
void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda,
            double* real, double* imaginary, double* vl, const int* ldvl, double* vr,
            const int* ldvr, double* work, const int* work_size, int* info);
}

namespace semblance::evaluators {
namespace {

constexpr int panel = 32;

/// The diagonal and the off-diagonal.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;
};

/// Like LAPACK's dsytrd for the lower triangle of a column-major matrix.
Tridiagonal tridiagonalise(std::vector<double>& matrix, int n, Context& context) {
  const auto size = static_cast<std::size_t>(n);
  const auto at = [&](int row, int column) {
    return &matrix[static_cast<std::size_t>(column) * size + static_cast<std::size_t>(row)];
  };
  Tridiagonal t{std::vector<double>(size), std::vector<double>(size)};
  std::vector<double> tau(size), w(size * panel);
  int first = 0;
  for (; n - first > 2 * panel; first += panel) {
    context.check_stop();
    const int rest = n - first, next = first + panel, left = n - next;
    dlatrd_("L", &rest, &panel, at(first, first), &n, &t.beside[static_cast<std::size_t>(first)],
            tau.data(), w.data(), &rest);
    cblas_dsyr2k(CblasColMajor, CblasLower, CblasNoTrans, left, panel, -1, at(next, first), n,
                 &w[panel], rest, 1, at(next, next), n);
    for (int j = first; j < next; ++j) t.diagonal[static_cast<std::size_t>(j)] = *at(j, j);
    // The cost of each panel is the square of the remaining order.
    const double share = static_cast<double>(left) / n;
    context.progress(1 - share * share * share, 1);
  }
  const int rest = n - first;
  const auto place = static_cast<std::size_t>(first);
  int info = 0;
  dsytd2_("L", &rest, at(first, first), &n, &t.diagonal[place], &t.beside[place], tau.data(),
          &info);
  return t;
}

}  // namespace

std::vector<double> symmetric_eigenvalues(std::vector<double>& matrix, std::size_t n,
                                          Context& context) {
  if (n == 0) return {};
  const int order = static_cast<int>(n);
  Tridiagonal t = tridiagonalise(matrix, order, context);
  context.check_stop();
  int info = 0;
  dsterf_(&order, t.diagonal.data(), t.beside.data(), &info);
  if (info != 0)
    throw Error("the eigenvalues of a matrix of order " + std::to_string(n) +
                " were not found: the iteration did not converge");
  return std::move(t.diagonal);
}

std::vector<double> real_parts_of_eigenvalues(std::vector<double>& matrix, std::size_t n) {
  if (n == 0) return {};
  if (n > most_general_order)
    throw Error("the eigenvalues of an asymmetric matrix of " + std::to_string(n) +
                " bases would take too long; choose at most " + std::to_string(most_general_order) +
                " bases, or of: symmetric_part");
  openblas_set_num_threads(1);
  const int order = static_cast<int>(n), one = 1;
  std::vector<double> real(n), imaginary(n), work(n * 64);
  const int work_size = static_cast<int>(work.size());
  int info = 0;
  dgeev_("N", "N", &order, matrix.data(), &order, real.data(), imaginary.data(), nullptr, &one,
         nullptr, &one, work.data(), &work_size, &info);
  if (info != 0)
    throw Error("the eigenvalues of a " + std::to_string(n) + " x " + std::to_string(n) +
                " matrix were not found (LAPACK's geev: " + std::to_string(info) + ")");
  std::ranges::sort(real);
  return real;
}

}  // namespace semblance::evaluators
