// SPDX-License-Identifier: MIT
#include "figures/eigenvalues.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace eigenvalues_test {

using namespace semblance;
using semblance::evaluators::real_parts_of_eigenvalues;
using semblance::evaluators::symmetric_eigenvalues;
using semblance::testing::TestContext;

namespace {

/// A symmetric matrix with these eigenvalues: the diagonal one, reflected along random vectors.
std::vector<double> with_eigenvalues(const std::vector<double>& eigenvalues) {
  const std::size_t n = eigenvalues.size();
  std::vector<double> a(n * n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = eigenvalues[i];
  Random random(3);
  std::vector<double> v(n), av(n);
  for (int reflection = 0; reflection < 4; ++reflection) {
    double square = 0, through = 0;
    for (double& x : v) {
      x = random.normal();
      square += x * x;
    }
    for (double& x : v) x /= std::sqrt(square);
    for (std::size_t i = 0; i < n; ++i) {
      av[i] = 0;
      for (std::size_t j = 0; j < n; ++j) av[i] += a[i * n + j] * v[j];
      through += av[i] * v[i];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        a[i * n + j] += -2 * (v[i] * av[j] + av[i] * v[j]) + 4 * through * v[i] * v[j];
  }
  return a;
}

}  // namespace

TEST_CASE("eigenvalues of any order are found, many panels or none") {
  TestContext context;
  for (const std::size_t n : {1, 2, 3, 64, 65, 97, 300}) {
    CAPTURE(n);
    std::vector<double> expected(n);
    Random random(n);
    for (double& value : expected) value = 10 * random.normal();
    std::vector<double> matrix = with_eigenvalues(expected);
    std::ranges::sort(expected);
    const std::vector<double> found = symmetric_eigenvalues(matrix, n, context);
    REQUIRE(found.size() == n);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(std::abs(found[i] - expected[i]) < 1e-10);
  }
}

TEST_CASE("the chain of springs has the eigenvalues of the textbook") {
  constexpr std::size_t n = 200;
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = 2;
    if (i + 1 < n) matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
  }
  TestContext context;
  const std::vector<double> found = symmetric_eigenvalues(matrix, n, context);
  for (std::size_t i = 0; i < n; ++i)
    REQUIRE(found[i] == doctest::Approx(2 - 2 * std::cos(static_cast<double>(i + 1) *
                                                         std::numbers::pi / (n + 1))));
}

TEST_CASE("nothing has no eigenvalues, and a stop request is seen") {
  TestContext context;
  std::vector<double> none, matrix(10000, 1);
  CHECK(symmetric_eigenvalues(none, 0, context).empty());
  context.stop = StopReason::cancelled;
  CHECK_THROWS_AS(symmetric_eigenvalues(matrix, 100, context), Cancelled);
}

TEST_CASE("the real parts of any matrix's eigenvalues are found, in order") {
  // Block triangular: those of its blocks, whatever is above them.
  constexpr std::size_t n = 101;
  Random random(3);
  std::vector<double> matrix(n * n), expected;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) matrix[i * n + j] = 0.1 * random.normal();
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    const double real = random.normal(), imaginary = 1 + random.uniform();
    matrix[i * n + i] = matrix[(i + 1) * n + i + 1] = real;
    matrix[i * n + i + 1] = imaginary;
    matrix[(i + 1) * n + i] = -imaginary;
    expected.insert(expected.end(), 2, real);
  }
  matrix[n * n - 1] = 5;
  expected.push_back(5);
  std::ranges::sort(expected);
  const std::vector<double> found = real_parts_of_eigenvalues(matrix, n);
  REQUIRE(found.size() == n);
  for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-6);
  std::vector<double> none;
  CHECK(real_parts_of_eigenvalues(none, 0).empty());
  CHECK_THROWS_WITH_AS(real_parts_of_eigenvalues(none, 2049),
                       "the eigenvalues of an asymmetric matrix of 2049 bases would take too long; "
                       "choose at most 2048 bases, or of: symmetric_part",
                       Error);
}

}  // namespace eigenvalues_test
