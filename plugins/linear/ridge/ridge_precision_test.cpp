// SPDX-License-Identifier: MIT
// Ridge regression on data as they come.
#include <doctest/doctest.h>

#include <cmath>

#include "ridge/ridge_testing.hpp"

namespace semblance::linear::ridge_precision_test {
namespace {

using namespace testing;

TEST_CASE("ridge: columns far from 0, of all scales, constant and dependent; targets likewise") {
  for (const std::size_t rows : {4, 40, 900})
    for (const auto& [offset, scale] :
         std::vector<std::pair<double, double>>{{0, 1}, {5e5, 10}, {0, 1e-8}, {-1e30, 1e28}})
      for (const double penalty : {1e-14, 1e-9, 1e-3, 1.0, 1e6}) {
        CAPTURE(rows);
        CAPTURE(scale);
        CAPTURE(penalty);
        check_against_plain(awkward_numbers(rows, offset, scale), penalty, 1e-7);
      }
}

TEST_CASE("ridge: copies of a column share its weight, however small the penalty") {
  TestContext context;
  const auto trained =
      train_regressor(ridge, awkward_numbers(200, 0, 1), context, {{"penalty", 1e-6}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  const Learned found = learned(*trained.solver);
  CHECK(found.weights[4] == doctest::Approx(found.weights[0]).epsilon(1e-5));
  CHECK(found.weights[5] == doctest::Approx(found.weights[0]).epsilon(1e-5));
  CHECK(found.weights[3] == 0);
}

TEST_CASE("ridge: one row, and constant targets and columns, give constants") {
  TestContext context;
  NumberData data = linear_numbers(1, 3, 2);
  const auto one = train_regressor(ridge, data, context);
  check_values(learned(*one.solver).intercepts, data.targets);
  CHECK(one.report.texts.at("certificate") == "converged");
  CHECK(one.report.numbers.count("leave_one_out_rmse") == 0);
  CHECK(regression_error(ridge, data, {{"penalties", std::vector<double>{1, 2}}}) ==
        "leave-one-out errors need two samples with a weight, but there is one; set 'penalty' "
        "instead of 'penalties'");
  data = linear_numbers(50, 3, 1);
  for (double& y : data.targets) y = 0.1;
  const auto constant =
      train_regressor(ridge, data, context, {{"penalties", std::vector<double>{1, 7, 2}}});
  for (const double weight : learned(*constant.solver).weights) CHECK(weight == 0);
  CHECK(learned(*constant.solver).intercepts == std::vector<double>(1, 0.1));
  CHECK(constant.report.numbers.at("leave_one_out_rmse") == 0);
  CHECK(constant.report.numbers.at("penalty") == 7);
  CHECK(constant.report.texts.at("certificate") == "converged");
  for (const std::size_t rows : {3, 50}) {
    data = linear_numbers(rows, 2, 1);
    for (float& x : data.values.values) x = 1e7F;
    const auto columns = train_regressor(ridge, data, context, {{"penalty", 1e-12}});
    CHECK(learned(*columns.solver).weights == std::vector<double>(2, 0));
    CHECK(columns.report.texts.at("certificate") == "converged");
  }
}

TEST_CASE("ridge: orthogonal columns and targets are solved, and called so") {
  NumberData data{FloatMatrix(4, 2), {1, -1, -1, 1}, {"xor"}};
  data.values.values = {0, 0, 0, 1, 1, 0, 1, 1};
  TestContext context;
  const auto trained = train_regressor(ridge, data, context);
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("gradient_norm") < 1e-6);
}

TEST_CASE("ridge: rows that alone determine a weight are left out plainly") {
  NumberData data = linear_numbers(12, 4, 1);
  data.values.values[3 * 4 + 1] = 3e6F;  // leverage 1 - 1e-12
  TestContext context;
  const auto trained = train_regressor(ridge, data, context, {{"penalty", 1e-2}});
  const double plain = plain_leave_one_out_rmse(ridge, data, {{"penalty", 1e-2}});
  CHECK(plain > 1e4);
  CHECK(trained.report.numbers.at("leave_one_out_rmse") == doctest::Approx(plain).epsilon(1e-5));
  CHECK(context.lines.empty());
}

}  // namespace
}  // namespace semblance::linear::ridge_precision_test
