// SPDX-License-Identifier: MIT
#include "sgd_svm.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "solver_testing.hpp"

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::solvers::testing;

namespace {

double error_rate(const Solver& solver, const Data& data) {
  const FloatMatrix f = scores(solver, data);
  const auto classes = static_cast<std::ptrdiff_t>(data.classes.size());
  std::size_t errors = 0;
  for (std::size_t i = 0; i < f.rows; ++i) {
    const auto row = f.values.begin() + static_cast<std::ptrdiff_t>(i) * classes;
    errors += std::max_element(row, row + classes) - row != data.labels[i];
  }
  return double(errors) / double(f.rows);
}

Data board(std::size_t rows) {
  Random random(4);
  Data data{FloatMatrix(rows, 2), std::vector<std::int32_t>(rows), {"even", "odd"}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    data.values.values[2 * i] = static_cast<float>(x);
    data.values.values[2 * i + 1] = static_cast<float>(y);
    data.labels[i] = x * y > 0 ? 1 : 0;
  }
  return data;
}

}  // namespace

TEST_CASE("inverse distances: nearest centres only, summing to 1") {
  FloatMatrix centres(4, 1);
  centres.values = {0, 1, 3, 10};
  const InverseDistances distances(centres, 2);
  std::vector<float> beta(4);
  const std::vector<float> between{0.25f}, on{3};
  distances.weights(between, beta);
  CHECK(beta[0] == doctest::Approx(0.75));
  CHECK(beta[1] == doctest::Approx(0.25));
  CHECK(beta[2] == 0);
  distances.weights(on, beta);
  CHECK(beta == std::vector<float>{0, 0, 1, 0});
}

TEST_CASE("k-means finds separate groups and says when rows are too few") {
  Random random(1);
  FloatMatrix rows(300, 2);
  for (std::size_t i = 0; i < 300; ++i) {
    rows.values[2 * i] = static_cast<float>(double(i % 3) * 10 + 0.1 * random.normal());
    rows.values[2 * i + 1] = static_cast<float>(0.1 * random.normal());
  }
  const auto never = [] { return false; };
  const FloatMatrix centres = k_means(rows.view(), 3, Random(2), never);
  std::vector<float> x{centres.values[0], centres.values[2], centres.values[4]};
  std::sort(x.begin(), x.end());
  for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(double{x[j]} - 10 * double(j)) < 0.05);
  CHECK(k_means(rows.view(), 3, Random(2), never).values == centres.values);
  CHECK_THROWS_AS(k_means(rows.view(), 301, Random(2), never), Error);
}

TEST_CASE("XOR: LLSVM solves it, one linear model a class does not") {
  TestContext context;
  const Data data = board(1000);
  CHECK(error_rate(train<LlSvm>(data, context, {{"lambda", 1e-3}}).solver, data) < 0.05);
  CHECK(error_rate(train<LinearSvmSgd>(data, context, {{"lambda", 1e-3}}).solver, data) > 0.25);
}

TEST_CASE("the descent comes near the optimum of the multiclass hinge loss") {
  TestContext context;
  const Data data = clouds(400, 10, 4);
  const auto quick = train<LinearSvmSgd>(data, context, {{"lambda", 1e-2}});
  const auto long_one =
      train<LinearSvmSgd>(data, context, {{"lambda", 1e-2}, {"epochs", std::int64_t{2000}}});
  const double best = long_one.report.numbers.at("objective");
  CHECK(quick.report.numbers.at("objective") >= best * (1 - 1e-3));
  CHECK(quick.report.numbers.at("objective") <= best * 1.03);
}

TEST_CASE_TEMPLATE("a saved model gives the same bits, threads and rows around do not matter", T,
                   LinearSvmSgd, LlSvm) {
  const Data data = clouds(600, 12, 4);
  TestContext one(1), two(2);
  const auto trained = train<T>(data, one);
  const FloatMatrix wanted = scores(trained.solver, data);
  CHECK(scores(train<T>(data, two).solver, data).values == wanted.values);
  MemoryState state;
  trained.solver.save(state);
  T loaded;
  loaded.bind(Layout::vector(12));
  loaded.load(state, one);
  CHECK(scores(loaded, data).values == wanted.values);
  for (std::size_t i = 0; i < 600; i += 13) {
    FloatMatrix alone(1, 4);
    trained.solver.apply(data.values.view().rows_range(i, 1), alone.view(), one);
    REQUIRE(std::equal(alone.values.begin(), alone.values.end(),
                       wanted.values.begin() + static_cast<std::ptrdiff_t>(4 * i)));
  }
}

TEST_CASE_TEMPLATE("a stop request leaves a model, wrong data are named", T, LinearSvmSgd, LlSvm) {
  TestContext context;
  context.stop = StopReason::cancelled;
  const Data data = clouds(300, 5, 3);
  const auto trained = train<T>(data, context);
  CHECK(trained.report.texts.at("certificate") == "cancelled");
  CHECK(scores(trained.solver, data).values == std::vector<float>(900, 0));
  Data broken = data;
  broken.values.values[7] = std::nanf("");
  CHECK(training_error<T>(broken).find("training row 1, column 2") == 0);
}
