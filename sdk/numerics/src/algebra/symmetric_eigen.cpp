// SPDX-License-Identifier: MIT
#include "semblance_numerics/symmetric_eigen.hpp"

#include <cblas.h>

#include <string>
#include <utility>

#include "semblance/error.hpp"

extern "C" {
void ssyevd_(const char* job, const char* triangle, const int* n, float* a, const int* stride,
             float* values, float* work, const int* work_size, int* integers,
             const int* integers_size, int* info);
void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* stride,
             double* values, double* work, const int* work_size, int* integers,
             const int* integers_size, int* info);
}

namespace semblance::numerics {
namespace {

constexpr auto lapack(float) { return ssyevd_; }
constexpr auto lapack(double) { return dsyevd_; }

}  // namespace

template <class Scalar>
SymmetricEigen<Scalar> symmetric_eigen(std::vector<Scalar> matrix, std::size_t n) {
  const std::string what =
      "the eigenvectors of a " + std::to_string(n) + " x " + std::to_string(n) + " matrix ";
  if (n > most_eigen_order)
    throw Error(what + "are more than LAPACK's integers can count; at most " +
                std::to_string(most_eigen_order) + " rows are possible");
  if (matrix.size() != n * n)
    throw Error(what + "were asked for with " + std::to_string(matrix.size()) +
                " values; give all of its rows");
  openblas_set_num_threads(1);
  SymmetricEigen<Scalar> found{std::vector<Scalar>(n), std::move(matrix)};
  std::vector<Scalar> work(1 + 6 * n + 2 * n * n);
  std::vector<int> integers(3 + 5 * n);
  const int order = static_cast<int>(n), size = static_cast<int>(work.size()),
            integers_size = static_cast<int>(integers.size());
  int info = 0;
  // The upper triangle of a column-major matrix is the lower one of a row-major matrix.
  lapack(Scalar())("V", "U", &order, found.vectors.data(), &order, found.values.data(), work.data(),
                   &size, integers.data(), &integers_size, &info);
  if (info != 0)
    throw Error(what + "were not found (LAPACK's syevd: " + std::to_string(info) + ")");
  return found;
}

template SymmetricEigen<float> symmetric_eigen(std::vector<float>, std::size_t);
template SymmetricEigen<double> symmetric_eigen(std::vector<double>, std::size_t);

}  // namespace semblance::numerics
