// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "regression_testing.hpp"
#include "semblance/row_similarity.hpp"
#include "semblance/support_vectors.hpp"

namespace semblance::kernel::kernel_ridge_test {
namespace {

using namespace common::testing;
using Matrix = Eigen::MatrixXd;

constexpr const char* kernel_ridge = "solver/kernel_ridge";

Parts rbf(double gamma) { return {{"kernel", part("similarity/rbf", {{"gamma", gamma}})}}; }

/// The values of the Gaussian kernel between two sets of rows, rounded to float32.
Matrix gaussian(const FloatMatrix& a, const FloatMatrix& b, double gamma) {
  Matrix k(a.rows, b.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.rows; ++j) {
      double squares = 0;
      for (std::size_t c = 0; c < a.cols; ++c) {
        const double apart = double{a.values[i * a.cols + c]} - double{b.values[j * b.cols + c]};
        squares += apart * apart;
      }
      k(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = std::exp(-gamma * squares);
    }
  return k;
}

/// Estimates of training rows by the bordered system: W (K a + b 1) + penalty a = W y, sum a = 0.
Matrix solve_plainly(const Matrix& k, const NumberData& data, double penalty, bool intercept) {
  const Eigen::Index n = k.rows(), m = static_cast<Eigen::Index>(data.names.size());
  Matrix left = Matrix::Zero(n + 1, n + 1), right = Matrix::Zero(n + 1, m);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double w = data.weights.empty() ? 1 : data.weights[static_cast<std::size_t>(i)];
    left.block(i, 0, 1, n) = w * k.row(i);
    left(i, i) += penalty;
    if (intercept) left(i, n) = w;
    left(n, i) = 1;
    for (Eigen::Index c = 0; c < m; ++c)
      right(i, c) = w * data.target(static_cast<std::size_t>(i), static_cast<std::size_t>(c));
  }
  if (!intercept) {
    left.row(n).setZero();
    left(n, n) = 1;
  }
  const Matrix solved = left.fullPivLu().solve(right);
  Matrix estimates = k * solved.topRows(n);
  estimates.rowwise() += Eigen::RowVectorXd(solved.row(n));
  return estimates;
}

void weigh(NumberData& data) {
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.weights.push_back(static_cast<double>((i * 7 + 2) % 4));
}

TEST_CASE("kernel ridge: the solution of the plain linear system, with weights and intercept") {
  for (const std::size_t rows : {1, 2, 5, 90})
    for (const bool intercept : {true, false})
      for (const double penalty : {1e-2, 1.0, 1e3}) {
        CAPTURE(rows);
        CAPTURE(intercept);
        CAPTURE(penalty);
        NumberData data = linear_numbers(rows, 3, 2);
        for (const bool weighted : {false, true}) {
          if (weighted && rows < 5) continue;
          if (weighted) weigh(data);
          TestContext context;
          const auto trained =
              train_regressor(kernel_ridge, data, context,
                              {{"penalty", penalty}, {"intercept", intercept}}, rbf(0.2));
          CHECK(trained.report.texts.at("certificate") == "converged");
          CHECK(trained.report.numbers.at("check_violation") < 1e-4);
          const Matrix expected =
              solve_plainly(gaussian(data.values, data.values, 0.2), data, penalty, intercept);
          const FloatMatrix found = estimates(*trained.solver, data.values, 2);
          for (Eigen::Index i = 0; i < expected.rows(); ++i)
            for (Eigen::Index k = 0; k < 2; ++k)
              CHECK(double{found.values[static_cast<std::size_t>(2 * i + k)]} ==
                    doctest::Approx(expected(i, k)).epsilon(penalty < 0.1 ? 3e-5 : 1e-5).scale(5));
        }
      }
}

TEST_CASE("kernel ridge: leave-one-out errors are those of fits without the row") {
  for (const std::size_t rows : {2, 3, 25})
    for (const bool intercept : {true, false})
      for (const bool weighted : {false, true}) {
        CAPTURE(rows);
        CAPTURE(intercept);
        NumberData data = linear_numbers(rows, 3, 2);
        if (weighted && rows > 3) weigh(data);
        TestContext context;
        const Parameters parameters = {{"penalty", 0.3}, {"intercept", intercept}};
        const auto trained = train_regressor(kernel_ridge, data, context, parameters, rbf(0.2));
        CHECK(trained.report.numbers.at("leave_one_out_rmse") ==
              doctest::Approx(plain_leave_one_out_rmse(kernel_ridge, data, parameters, rbf(0.2)))
                  .epsilon(1e-5));
      }
}

// scikit-learn 1.2.1: KernelRidge(alpha=.5, kernel='rbf', gamma=.25).predict(X)[:4] for the numbers
// below.
TEST_CASE("kernel ridge: the numbers of scikit-learn") {
  NumberData data{FloatMatrix(20, 3), {}, {"y"}};
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      data.values.values[i * 3 + j] = static_cast<float>((i * 7 + j * 13 + i * j) % 17) / 4;
    data.targets.push_back(static_cast<double>((i * 5 + i * i) % 23) / 2);
  }
  TestContext context;
  const auto trained = train_regressor(kernel_ridge, data, context,
                                       {{"penalty", 0.5}, {"intercept", false}}, rbf(0.25));
  const FloatMatrix found = estimates(*trained.solver, data.values, 1);
  const std::vector<double> expected = {1.24178850392, 2.48412556902, 7.48167802815, 1.11208206008};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(double{found.values[i]} == doctest::Approx(expected[i]).epsilon(1e-6));
}

TEST_CASE("kernel ridge: with a linear kernel it is solver/ridge, also on rows far from 0") {
  for (const float offset : {0.0F, 5e5F}) {
    NumberData data = linear_numbers(40, 4, 2);
    for (float& x : data.values.values) x = 10 * x + offset;
    TestContext context;
    const Parameters penalties = {{"penalties", std::vector<double>{1, 30, 1e4}}};
    const auto kernel = train_regressor(kernel_ridge, data, context, penalties,
                                        {{"kernel", part("similarity/linear")}});
    const auto linear = train_regressor("solver/ridge", data, context, penalties);
    for (const char* figure : {"penalty", "objective", "leave_one_out_rmse", "squared_norm"})
      CHECK(kernel.report.numbers.at(figure) ==
            doctest::Approx(linear.report.numbers.at(figure)).epsilon(1e-4));
    const FloatMatrix first = estimates(*kernel.solver, data.values, 2);
    const FloatMatrix second = estimates(*linear.solver, data.values, 2);
    for (std::size_t i = 0; i < first.values.size(); ++i)
      CHECK(double{first.values[i]} == doctest::Approx(double{second.values[i]}).epsilon(1e-4));
  }
}

TEST_CASE("kernel ridge: targets of any offset and scale, and constant ones") {
  TestContext context;
  const NumberData plain = linear_numbers(60, 3, 1);
  const auto expected = train_regressor(kernel_ridge, plain, context, {}, rbf(0.1));
  for (const auto& [offset, scale] :
       std::vector<std::pair<double, double>>{{5e5, 10}, {0, 1e-8}, {-1e30, 1e28}}) {
    NumberData data = plain;
    for (double& y : data.targets) y = offset + scale * y;
    const auto trained = train_regressor(kernel_ridge, data, context, {}, rbf(0.1));
    CHECK(trained.report.texts.at("certificate") == "converged");
    CHECK(trained.report.numbers.at("leave_one_out_rmse") / scale ==
          doctest::Approx(expected.report.numbers.at("leave_one_out_rmse")).epsilon(1e-8));
  }
  NumberData constant = plain;
  for (double& y : constant.targets) y = 0.1;
  const auto trained = train_regressor(kernel_ridge, constant, context,
                                       {{"penalties", std::vector<double>{1, 7, 2}}}, rbf(0.1));
  CHECK(trained.report.numbers.at("leave_one_out_rmse") == 0);
  CHECK(trained.report.numbers.at("penalty") == 7);
  for (const float y : estimates(*trained.solver, plain.values, 1).values) CHECK(y == 0.1F);
}

/// -|b - x|, whose matrices have one negative eigenvalue.
class MinusDistance final : public RowSimilarity<MinusDistance> {
 public:
  static Declaration<MinusDistance> declare() {
    return {"similarity/minus_distance", "the negative distance"};
  }

  float compare(std::span<const float> b, std::span<const float> x) const {
    double squares = 0;
    for (std::size_t j = 0; j < b.size(); ++j)
      squares += (double{b[j]} - double{x[j]}) * (double{b[j]} - double{x[j]});
    return static_cast<float>(-std::sqrt(squares));
  }
};

Parts minus_distance() {
  return {{"kernel", [] { return std::make_unique<MinusDistance>(); }}};
}

TEST_CASE("kernel ridge: an indefinite kernel is refused or repaired") {
  const NumberData data = linear_numbers(40, 3, 1);
  const std::string message = regression_error(kernel_ridge, data, {}, minus_distance());
  CHECK(message.find("the similarities of the 40 training rows are indefinite") == 0);
  // K = U D U' becomes U |D| U'; the estimates of training rows are those of the repaired matrix.
  Matrix k(40, 40);
  for (Eigen::Index i = 0; i < 40; ++i)
    for (Eigen::Index j = 0; j < 40; ++j)
      k(i, j) = -std::sqrt(std::max(0.0, -std::log(gaussian(data.values, data.values, 1)(i, j))));
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(k);
  const Matrix flipped = eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() *
                         eigen.eigenvectors().transpose();
  TestContext context;
  const auto trained = train_regressor(kernel_ridge, data, context,
                                       {{"repair", std::string("flip")}}, minus_distance());
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.integers.at("negative_eigenvalues") == 1);
  const Matrix expected = solve_plainly(flipped, data, 1, true);
  const FloatMatrix found = estimates(*trained.solver, data.values, 1);
  for (Eigen::Index i = 0; i < 40; ++i)
    CHECK(double{found.values[static_cast<std::size_t>(i)]} ==
          doctest::Approx(expected(i, 0)).epsilon(1e-4).scale(1));
}

TEST_CASE("kernel ridge: the same bits for any number of threads, and when loaded") {
  const NumberData data = linear_numbers(700, 5, 3);
  const Parameters penalties = {{"penalties", std::vector<double>{1e-3, 0.1, 10}}};
  TestContext one(1), many(5);
  const auto first = train_regressor(kernel_ridge, data, one, penalties, rbf(0.1));
  const auto second = train_regressor(kernel_ridge, data, many, penalties, rbf(0.1));
  CHECK(saved_bits(*first.solver) == saved_bits(*second.solver));
  for (const char* figure : {"objective", "leave_one_out_rmse", "gradient_norm"})
    CHECK(first.report.numbers.at(figure) == second.report.numbers.at(figure));
  MemoryState state;
  first.solver->save(state);
  const auto loaded = make_component<Regressor>(kernel_ridge, {}, rbf(0.1));
  loaded->bind(Layout::vector(5));
  loaded->load(state, one);
  CHECK(saved_bits(*loaded) == saved_bits(*first.solver));
  CHECK(estimates(*loaded, data.values, 3).values ==
        estimates(*first.solver, data.values, 3).values);
}

TEST_CASE("kernel ridge: a penalty below the rounding of similarities is refused or said") {
  NumberData data = linear_numbers(200, 1, 1);
  const std::string message = regression_error(kernel_ridge, data, {{"penalty", 1e-30}}, rbf(1e-3));
  CHECK(message.find("raise") != std::string::npos);
}

TEST_CASE("kernel ridge: LIBSVM's machine of one number") {
  TestContext context;
  const NumberData data = linear_numbers(30, 3, 1);
  const auto trained = train_regressor(kernel_ridge, data, context, {{"penalty", 0.3}}, rbf(0.2));
  const SupportVectorMachine machine =
      dynamic_cast<const SupportVectors&>(*trained.solver).support_vectors();
  REQUIRE(machine.predicts_number());
  REQUIRE(machine.vectors() == 30);
  FloatMatrix vectors(machine.vectors(), 3);
  for (std::size_t v = 0; v < machine.vectors(); ++v)
    for (std::size_t k = machine.starts[v]; k < machine.starts[v + 1]; ++k)
      vectors.values[3 * v + machine.columns[k]] = static_cast<float>(machine.values[k]);
  const Matrix k = gaussian(data.values, vectors, machine.gamma);
  const FloatMatrix found = estimates(*trained.solver, data.values, 1);
  for (Eigen::Index i = 0; i < k.rows(); ++i) {
    double value = -machine.rho.at(0);
    for (Eigen::Index v = 0; v < k.cols(); ++v)
      value += machine.coefficients[static_cast<std::size_t>(v)] * k(i, v);
    CHECK(double{found.values[static_cast<std::size_t>(i)]} ==
          doctest::Approx(value).epsilon(1e-5).scale(1));
  }
  const auto both = train_regressor(kernel_ridge, linear_numbers(30, 3, 2), context, {}, rbf(0.2));
  CHECK_THROWS_WITH(dynamic_cast<const SupportVectors&>(*both.solver).support_vectors(),
                    "it predicts 2 numbers, and LIBSVM's machines predict one");
}

TEST_CASE("kernel ridge: messages") {
  const NumberData data = linear_numbers(500, 4, 1);
  CHECK(regression_error(kernel_ridge, data, {}, rbf(1), 1 << 20) ==
        "for n = 500 training rows the kernel's matrix takes 4 n^2 bytes and its factor 8 n^2, "
        "with the samples 3 MiB, but 1 MiB are allowed; train on fewer rows, raise --memory, or "
        "use solver/ridge on the similarities to a part of the rows (basis/random)");
  CHECK_THROWS_WITH(make_component<Regressor>(kernel_ridge, {{"negative_weight", 2.0}}, rbf(1)),
                    "negative_weight is used by repair: krein only; set that, or remove "
                    "negative_weight");
}

TEST_CASE("kernel ridge: a stop leaves the best model so far") {
  class StopsLater final : public TestContext {
   public:
    void progress(double done, double) override {
      if (done > 0) stop = StopReason::deadline;
    }
  };
  const NumberData data = linear_numbers(50, 7, 1);
  StopsLater context;
  const auto trained = train_regressor(kernel_ridge, data, context,
                                       {{"penalties", std::vector<double>{0.1, 1000}}}, rbf(0.1));
  CHECK(trained.report.texts.at("certificate") == "deadline");
  CHECK(trained.report.numbers.at("penalty") == 0.1);
}

}  // namespace
}  // namespace semblance::kernel::kernel_ridge_test
