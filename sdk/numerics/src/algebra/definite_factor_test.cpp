// SPDX-License-Identifier: MIT
#include "semblance_numerics/definite_factor.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace semblance::numerics::definite_factor_test {
namespace {

using testing::TestContext;
using Matrix = Eigen::MatrixXd;

/// Independent normally distributed rows, the columns multiplied by 10^0, 10^-2, 10^-4, ...
Matrix graded_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Matrix made(rows, cols);
  for (Eigen::Index i = 0; i < made.rows(); ++i)
    for (Eigen::Index j = 0; j < made.cols(); ++j)
      made(i, j) = random.normal() * std::pow(10.0, -2.0 * static_cast<double>(j % 4));
  return made;
}

Vectors<double> vectors_of(const Matrix& from) {
  Vectors<double> made(static_cast<std::size_t>(from.rows()),
                       static_cast<std::size_t>(from.cols()));
  for (Eigen::Index i = 0; i < from.rows(); ++i)
    for (Eigen::Index j = 0; j < from.cols(); ++j)
      made.row(static_cast<std::size_t>(i))[j] = from(i, j);
  return made;
}

RowTriangle triangle_of(const Matrix& rows) {
  RowTriangle made(static_cast<std::size_t>(rows.cols()));
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < rows.cols(); ++j) made.next()[j] = rows(i, j);
    made.done();
  }
  made.reduce();
  return made;
}

/// Checks all that a factor of M gives.
void check_factor(const DefiniteFactor& factor, const Matrix& m, double digits) {
  TestContext context;
  const Matrix inverse = m.inverse();
  const Matrix right = graded_rows(5, static_cast<std::size_t>(m.rows()), 3);
  Vectors<double> solved = vectors_of(right), again = vectors_of(right);
  factor.solve(solved);
  std::vector<double> forms(5);
  factor.quadratic_forms(again, forms);
  const double determinant = m.partialPivLu().matrixLU().diagonal().array().abs().log().sum();
  CHECK(factor.log_determinant() == doctest::Approx(determinant).epsilon(digits));
  const std::vector<double> diagonal = factor.inverse_diagonal(context);
  const std::size_t start = diagonal.size() / 3;
  const std::vector<double> tail = factor.inverse_diagonal(context, start);
  CHECK(tail.size() == diagonal.size() - start);
  for (std::size_t i = 0; i < tail.size(); ++i)
    CHECK(tail[i] == doctest::Approx(diagonal[start + i]).epsilon(1e-9));
  const Matrix expected = right * inverse;
  for (Eigen::Index i = 0; i < right.rows(); ++i) {
    const double form = expected.row(i).dot(right.row(i));
    CHECK(forms[static_cast<std::size_t>(i)] == doctest::Approx(form).epsilon(digits));
    for (Eigen::Index j = 0; j < right.cols(); ++j)
      CHECK(solved.row(static_cast<std::size_t>(i))[j] ==
            doctest::Approx(expected(i, j)).epsilon(digits).scale(std::abs(expected(i, j))));
  }
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    CHECK(diagonal[static_cast<std::size_t>(j)] ==
          doctest::Approx(inverse(j, j)).epsilon(digits).scale(inverse(j, j)));
}

TEST_CASE("a Cholesky factor solves, and gives quadratic forms and the inverse's diagonal") {
  TestContext context;
  for (const std::size_t n : {1, 3, 70, 300}) {
    CAPTURE(n);
    const Matrix rows = graded_rows(2 * n + 5, n, 1);
    const Matrix m = rows.transpose() * rows;
    const auto factor = DefiniteFactor::of_matrix(vectors_of(m), context);
    REQUIRE(factor);
    check_factor(*factor, m, 1e-7);
    CHECK(factor->least_pivot() > 1e-3);
  }
}

TEST_CASE("a triangle of rows is a factor of the sum of their products") {
  for (const std::size_t n : {1, 3, 70, 300}) {
    CAPTURE(n);
    const Matrix rows = graded_rows(2 * n + 5, n, 1);
    const auto factor = DefiniteFactor::of_triangle(triangle_of(rows).upper(), n);
    REQUIRE(factor);
    check_factor(*factor, rows.transpose() * rows, 1e-7);
  }
}

TEST_CASE("a diagonal can be added to a triangle of fewer rows than columns") {
  const std::size_t n = 40;
  const Matrix rows = graded_rows(10, n, 1);
  const auto factor =
      DefiniteFactor::of_triangle(triangle_of(rows).with_diagonal(0.5, n).upper(), n);
  REQUIRE(factor);
  check_factor(*factor, rows.transpose() * rows + 0.25 * Matrix::Identity(n, n), 1e-7);
}

TEST_CASE("dependent columns: Cholesky says what is lost, a triangle loses half as many digits") {
  TestContext context;
  Random random(1);
  // x, and x plus a millionth: the pivot left is a share of 1e-12.
  Matrix rows(200, 2);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    rows(i, 0) = random.normal();
    rows(i, 1) = rows(i, 0) + 1e-6 * random.normal();
  }
  const Eigen::Matrix<long double, -1, -1> exact = rows.cast<long double>();
  const Eigen::Matrix<long double, -1, -1> m = exact.transpose() * exact;
  const double inverse = static_cast<double>(m(1, 1) / (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)));
  const auto cholesky = DefiniteFactor::of_matrix(vectors_of(rows.transpose() * rows), context);
  if (cholesky) CHECK(cholesky->least_pivot() < 1e-10);
  const auto triangle = DefiniteFactor::of_triangle(triangle_of(rows).upper(), 2);
  REQUIRE(triangle);
  CHECK(triangle->inverse_diagonal(context)[0] == doctest::Approx(inverse).epsilon(1e-8));
}

TEST_CASE("an indefinite matrix and a triangle with a zero have no factor") {
  TestContext context;
  Vectors<double> indefinite(2, 2);
  indefinite.row(0)[0] = indefinite.row(1)[1] = 1;
  indefinite.row(1)[0] = 2;
  CHECK_FALSE(DefiniteFactor::of_matrix(std::move(indefinite), context));
  CHECK_FALSE(DefiniteFactor::of_triangle(RowTriangle(3).upper(), 3));
}

TEST_CASE("a stop request cancels") {
  TestContext context;
  context.stop = StopReason::cancelled;
  Vectors<double> one(1, 1);
  one.row(0)[0] = 1;
  CHECK_THROWS_AS(DefiniteFactor::of_matrix(std::move(one), context), Cancelled);
}

}  // namespace
}  // namespace semblance::numerics::definite_factor_test
