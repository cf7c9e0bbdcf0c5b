// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "coding/centres.hpp"
#include "ml3_component_testing.hpp"
#include "unusable_data_testing.hpp"

namespace sgd_svm_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

TEST_CASE("XOR: LLSVM solves it, one linear model a class does not") {
  TestContext context;
  const Data data = xor_data(1000, 4);
  CHECK(error_rate(*train("solver/llsvm", data, context, {{"lambda", 1e-3}}).solver, data) < 0.05);
  CHECK(error_rate(*train("solver/linear_svm_sgd", data, context, {{"lambda", 1e-3}}).solver,
                   data) > 0.25);
}

TEST_CASE("the descent comes near the optimum of the multiclass hinge loss") {
  TestContext context;
  const Data data = clouds(400, 10, 4);
  const auto quick = train("solver/linear_svm_sgd", data, context, {{"lambda", 1e-2}});
  const auto long_one = train("solver/linear_svm_sgd", data, context,
                              {{"lambda", 1e-2}, {"epochs", std::int64_t{2000}}});
  const double best = long_one.report.numbers.at("objective");
  CHECK(quick.report.numbers.at("objective") >= best * (1 - 1e-3));
  CHECK(quick.report.numbers.at("objective") <= best * 1.03);
}

TEST_CASE("the constant is as large as rows are long, unless it is given") {
  TestContext context;
  Data data = clouds(400, 10, 4);
  const auto bias_of = [&](const Parameters& parameters, std::vector<double> weights = {}) {
    MemoryState state;
    data.weights = std::move(weights);
    train("solver/linear_svm_sgd", data, context, parameters).solver->save(state);
    return state.number("bias");
  };
  // The mean squared length about the means of the first rows.
  const auto mean_square = [&](std::size_t rows) {
    double square = 0;
    for (std::size_t k = 0; k < 10; ++k) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const double x = data.values.values[10 * i + k];
        sum += x / double(rows);
        squares += x * x / double(rows);
      }
      square += squares - sum * sum;
    }
    return square;
  };
  CHECK(bias_of({}) == doctest::Approx(std::sqrt(mean_square(400))));
  CHECK(bias_of({{"bias", 2.5}}) == 2.5);
  CHECK(bias_of({{"bias", 0.0}}) == 0);
  std::vector<double> weights(400, 0);
  std::fill_n(weights.begin(), 200, 3);
  CHECK(bias_of({}, weights) == doctest::Approx(std::sqrt(mean_square(200))));
}

TEST_CASE("rows of any size have the same machine by default") {
  for (const char* id : {"solver/linear_svm_sgd", "solver/llsvm"}) {
    CAPTURE(id);
    TestContext context;
    Data data = clouds(400, 10, 4);
    const FloatMatrix wanted = scores(*train(id, data, context).solver, data);
    for (float& x : data.values.values) x *= 32;
    CHECK(scores(*train(id, data, context).solver, data).values == wanted.values);
  }
}

TEST_CASE("a saved model gives the same bits, threads and rows around do not matter") {
  for (const char* id : {"solver/linear_svm_sgd", "solver/llsvm"}) {
    CAPTURE(id);
    const Data data = clouds(600, 12, 4);
    TestContext one(1), two(2);
    const auto trained = train(id, data, one);
    const FloatMatrix wanted = scores(*trained.solver, data);
    CHECK(scores(*train(id, data, two).solver, data).values == wanted.values);
    check_saved_and_alone(id, *trained.solver, data);
  }
}

TEST_CASE("a stop request leaves a model, wrong data are named") {
  for (const char* id : {"solver/linear_svm_sgd", "solver/llsvm"}) {
    CAPTURE(id);
    TestContext context;
    context.stop = StopReason::cancelled;
    const Data data = clouds(300, 5, 3);
    const auto trained = train(id, data, context);
    CHECK(trained.report.texts.at("certificate") == "cancelled");
    CHECK(scores(*trained.solver, data).values == std::vector<float>(900, 0));
    check_unusable_training_data(id);
  }
}

TEST_CASE("LLSVM's shares are its weights, whatever the class") {
  TestContext context;
  const Data data = clouds(300, 5, 3);
  const auto trained = train("solver/llsvm", data, context, {{"models", std::int64_t{6}}});
  REQUIRE(trained.solver->local_models() == 6);
  MemoryState state;
  trained.solver->save(state);
  const InverseDistances distances(state.floats("centres"), 8);
  FloatMatrix shares(300, 6);
  trained.solver->assign(data.values.view(), data.labels, shares.view(), context);
  const Data centred = about_centre(data, state);
  std::vector<float> beta(6);
  for (std::size_t i = 0; i < 300; ++i) {
    distances.weights(centred.values.view().row_span(i), beta);
    for (std::size_t j = 0; j < 6; ++j)
      REQUIRE(shares.values[6 * i + j] == doctest::Approx(beta[j]).epsilon(1e-5));
  }
}

}  // namespace sgd_svm_test
