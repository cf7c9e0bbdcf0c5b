// SPDX-License-Identifier: MIT
#include "semblance_numerics/symmetric_eigen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "semblance/error.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace symmetric_eigen_test {

using namespace semblance;
using namespace semblance::numerics;

TEST_CASE_TEMPLATE("values ascend and vectors solve K v = value v", Scalar, float, double) {
  for (const std::size_t n : {1, 2, 7, 30, 90}) {
    CAPTURE(n);
    Random random(n);
    std::vector<Scalar> matrix(n * n, std::numeric_limits<Scalar>::quiet_NaN()), whole(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)  // the upper triangle is not read
        matrix[i * n + j] = whole[i * n + j] = whole[j * n + i] =
            static_cast<Scalar>(random.normal());
    const auto found = symmetric_eigen(matrix, n);
    CHECK(std::ranges::is_sorted(found.values));
    const double tolerance = 50.0 * static_cast<double>(n) * std::numeric_limits<Scalar>::epsilon();
    for (std::size_t e = 0; e < n; ++e) {
      const Scalar* v = found.vectors.data() + e * n;
      for (std::size_t i = 0; i < n; ++i) {
        double product = 0, cosine = 0;
        for (std::size_t j = 0; j < n; ++j) {
          product += double{whole[i * n + j]} * v[j];
          cosine += double{found.vectors[i * n + j]} * v[j];
        }
        CHECK(std::abs(product - double{found.values[e]} * v[i]) <= tolerance);
        CHECK(std::abs(cosine - (i == e)) <= tolerance);
      }
    }
  }
}

TEST_CASE("many at once give what each gives alone") {
  constexpr std::size_t n = 120, count = 24;
  const auto decomposed = [](std::size_t seed) {
    Random random(seed);
    std::vector<double> matrix(n * n);
    for (double& x : matrix) x = random.normal();
    return symmetric_eigen(std::move(matrix), n);
  };
  std::vector<SymmetricEigen<double>> together(count);
  testing::TestContext context(4);
  context.parallel_for(count, [&](std::size_t i) { together[i] = decomposed(i); });
  for (std::size_t i = 0; i < count; ++i) {
    const auto alone = decomposed(i);
    CHECK(together[i].values == alone.values);
    CHECK(together[i].vectors == alone.vectors);
  }
}

TEST_CASE("a matrix that LAPACK cannot count is refused before it is touched") {
  CHECK_THROWS_WITH_AS(symmetric_eigen(std::vector<double>(), most_eigen_order + 1),
                       "the eigenvectors of a 32767 x 32767 matrix are more than LAPACK's integers "
                       "can count; at most 32766 rows are possible",
                       Error);
}

}  // namespace symmetric_eigen_test
