// SPDX-License-Identifier: MIT
#include "ridge/block_tridiagonal.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "semblance/random.hpp"
#include "semblance/testing.hpp"
#include "semblance_numerics/definite_factor.hpp"

namespace block_tridiagonal_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::testing;

namespace {

Vectors<double> drawn(std::size_t rows, std::size_t cols) {
  Random random(7);
  Vectors<double> values(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) values.row(i)[j] = random.normal();
  return values;
}

/// Products of rows of 40 values: most eigenvalues are 0. Upper values are not to be read.
Vectors<double> products(std::size_t n) {
  const Vectors<double> z = drawn(n, 40);
  Vectors<double> matrix(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      matrix.row(i)[j] = j > i ? NAN : 0;
      if (j > i) continue;
      for (std::size_t k = 0; k < 40; ++k) matrix.row(i)[j] += z.row(i)[k] * z.row(j)[k];
    }
  return matrix;
}

}  // namespace

TEST_CASE("block tridiagonal form: solutions and the inverse's diagonal are Cholesky's") {
  for (const std::size_t n : {1U, 2U, 63U, 64U, 65U, 100U, 128U, 129U, 321U}) {
    CAPTURE(n);
    TestContext context;
    const BlockTridiagonal form(products(n), context);
    for (const double p : {1e-3, 1.0, 1e3}) {
      CAPTURE(p);
      Vectors<double> matrix = products(n), expected = drawn(3, n), found = drawn(3, n);
      for (std::size_t i = 0; i < n; ++i) matrix.row(i)[i] += p;
      const auto cholesky = numerics::DefiniteFactor::of_matrix(std::move(matrix), context);
      REQUIRE(cholesky);
      cholesky->solve(expected);
      const std::vector<double> inverse = cholesky->inverse_diagonal(context);
      std::vector<double> diagonal(n);
      CHECK(form.solve(p, found, diagonal, context) > 0);
      double worst = 0;
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::abs(diagonal[i] - inverse[i]) * p);
        for (std::size_t k = 0; k < 3; ++k)
          worst = std::max(worst, std::abs(found.row(k)[i] - expected.row(k)[i]) * p);
      }
      CHECK(worst < 1e-9);
    }
  }
}

TEST_CASE("block tridiagonal form: a matrix that is not positive definite is told") {
  TestContext context;
  Vectors<double> matrix = products(100), vectors = drawn(1, 100);
  matrix.row(70)[70] = -1;
  const BlockTridiagonal form(std::move(matrix), context);
  std::vector<double> diagonal(100);
  CHECK(form.solve(0.5, vectors, diagonal, context) == 0);
  CHECK(vectors.row(0)[3] == drawn(1, 100).row(0)[3]);
}

TEST_CASE("block tridiagonal form: the same bits with any number of threads") {
  std::vector<double> first;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    TestContext context(threads);
    const BlockTridiagonal form(products(600), context);
    Vectors<double> vectors = drawn(2, 600);
    std::vector<double> diagonal(600);
    form.solve(0.1, vectors, diagonal, context);
    diagonal.insert(diagonal.end(), vectors.row(0), vectors.row(0) + 600);
    if (first.empty()) first = diagonal;
    CHECK(first == diagonal);
  }
}

}  // namespace block_tridiagonal_test
