// SPDX-License-Identifier: MIT
#include "figures/classical_scaling.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "semblance/error.hpp"

extern "C" {
void dsyevr_(const char* job, const char* range, const char* uplo, const int* n, double* a,
             const int* lda, const double* low, const double* high, const int* first,
             const int* last, const double* tolerance, int* found, double* values, double* vectors,
             const int* ldv, int* support, double* work, const int* work_size, int* whole_work,
             const int* whole_work_size, int* info);
}

namespace semblance::evaluators {
namespace {

/// Subtracts the means of rows and columns: J K J.
void centre(std::vector<double>& matrix, std::size_t n) {
  std::vector<double> means(n);
  for (std::size_t i = 0; i < n; ++i)
    means[i] = std::accumulate(&matrix[i * n], &matrix[i * n] + n, 0.0) / static_cast<double>(n);
  const double all = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] += all - means[i] - means[j];
}

struct Leading {
  std::vector<double> values;   ///< ascending
  std::vector<double> vectors;  ///< one after the other
};

/// The `count` largest eigenvalues of a symmetric matrix, which is overwritten, and their vectors.
Leading leading_eigenvectors(std::vector<double>& matrix, std::size_t n, std::size_t count) {
  openblas_set_num_threads(1);
  const int order = static_cast<int>(n), last = order, first = order - static_cast<int>(count) + 1;
  const double unused = 0;
  Leading leading{std::vector<double>(n), std::vector<double>(n * count)};
  std::vector<double> work(n * 26 + 64);
  std::vector<int> whole_work(n * 10 + 64), support(2 * count);
  const int work_size = static_cast<int>(work.size());
  const int whole_work_size = static_cast<int>(whole_work.size());
  int found = 0, info = 0;
  dsyevr_("V", "I", "L", &order, matrix.data(), &order, &unused, &unused, &first, &last, &unused,
          &found, leading.values.data(), leading.vectors.data(), &order, support.data(),
          work.data(), &work_size, whole_work.data(), &whole_work_size, &info);
  if (info != 0 || found != static_cast<int>(count))
    throw Error("the eigenvectors of a matrix of order " + std::to_string(n) +
                " were not found: the iteration did not converge");
  return leading;
}

/// 1 or -1, so that the largest entry by magnitude becomes positive.
double sign_of(const double* vector, std::size_t n) {
  const double* largest = std::max_element(
      vector, vector + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return *largest < 0 ? -1 : 1;
}

}  // namespace

PlanePlaces classical_scaling(std::vector<double> similarities, std::size_t n) {
  PlanePlaces result{std::vector<double>(2 * n), 1};
  centre(similarities, n);
  const double norm =
      std::inner_product(similarities.begin(), similarities.end(), similarities.begin(), 0.0);
  if (n < 2 || !(norm > 0)) return result;
  const Leading leading = leading_eigenvectors(similarities, n, 2);
  result.shown = 0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    // Rounding makes a small value of a zero.
    const double found = leading.values[1 - axis];
    const double value = found > 1e-12 * std::sqrt(norm) ? found : 0;
    const double* vector = &leading.vectors[(1 - axis) * n];
    const double scale = std::sqrt(value) * sign_of(vector, n);
    for (std::size_t i = 0; i < n; ++i) result.places[2 * i + axis] = scale * vector[i];
    result.shown += value * value / norm;
  }
  result.shown = std::min(1.0, result.shown);
  return result;
}

}  // namespace semblance::evaluators
