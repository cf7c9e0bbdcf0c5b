// SPDX-License-Identifier: MIT
// Factorizations of the numeric library beside Eigen's, in turns: the median of five, in wall
// seconds, of a Cholesky factor, its inverse, and the eigenvectors of a symmetric matrix.
#include <cblas.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <type_traits>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/testing.hpp"
#include "semblance_numerics/cholesky.hpp"
#include "semblance_numerics/symmetric_eigen.hpp"
#include "timed.hpp"

namespace {

using namespace semblance;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// X X^T + I, with as many rows as columns.
template <class T>
Matrix<T> definite(std::size_t n) {
  Random random(1);
  const auto size = static_cast<Eigen::Index>(n);
  Matrix<T> x(size, size);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(random.normal());
  return x * x.transpose() / static_cast<T>(n) + Matrix<T>::Identity(size, size);
}

template <class T>
numerics::Vectors<T> copy_of(const Matrix<T>& m) {
  const auto n = static_cast<std::size_t>(m.rows());
  numerics::Vectors<T> copy(n, n);
  for (std::size_t i = 0; i < n; ++i) std::copy_n(m.data() + i * n, n, copy.row(i));
  return copy;
}

void compare(const char* what, const char* type, std::size_t n, std::size_t threads,
             const std::function<bench::Seconds()>& ours,
             const std::function<bench::Seconds()>& theirs) {
  std::array<double, 5> own{}, other{};
  for (std::size_t turn = 0; turn < own.size(); ++turn) {
    own[turn] = ours().wall;
    other[turn] = theirs().wall;
  }
  std::ranges::sort(own);
  std::ranges::sort(other);
  std::printf("%-12s %-6s %5zu columns, %zu threads: ours %8.4f s, Eigen %8.4f s, factor %.1f\n",
              what, type, n, threads, own[2], other[2], other[2] / own[2]);
}

template <class T>
void compare_all(std::size_t n, std::size_t threads) {
  const char* type = std::is_same_v<T, float> ? "float" : "double";
  testing::TestContext context(threads);
  const Matrix<T> m = definite<T>(n);
  const auto factor = [&] {
    numerics::Vectors<T> copy = copy_of(m);
    return bench::timed([&] { factorise(copy, context); });
  };
  const auto eigen_factor = [&] {
    Matrix<T> copy = m;
    return bench::timed([&] { Eigen::LLT<Eigen::Ref<Matrix<T>>> llt(copy); });
  };
  compare("Cholesky", type, n, threads, factor, eigen_factor);
  if constexpr (std::is_same_v<T, float>) {
    numerics::Vectors<float> lower = copy_of(m), inverse(n, n);
    factorise(lower, context);
    const Matrix<float> l = m.llt().matrixL();
    const auto invert = [&] {
      return bench::timed([&] { invert_factor(lower, inverse, context); });
    };
    const auto eigen_invert = [&] {
      Matrix<float> x = Matrix<float>::Identity(l.rows(), l.cols());
      return bench::timed([&] { l.template triangularView<Eigen::Lower>().solveInPlace(x); });
    };
    compare("inverse", type, n, threads, invert, eigen_invert);
  }
  if (threads > 1 || n > 1000) return;  // on one thread; minutes, with more columns
  const auto eigenvectors = [&] {
    return bench::timed(
        [&] { numerics::symmetric_eigen(std::vector<T>(m.data(), m.data() + m.size()), n); });
  };
  const auto eigen_eigenvectors = [&] {
    return bench::timed([&] { Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(m); });
  };
  compare("eigenvectors", type, n, threads, eigenvectors, eigen_eigenvectors);
}

}  // namespace

int main() {
  openblas_set_num_threads(1);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (const std::size_t threads : {1U, 2U})
    for (const std::size_t n : {100U, 300U, 1000U, 2000U, 4000U}) {
      compare_all<float>(n, threads);
      compare_all<double>(n, threads);
    }
}
