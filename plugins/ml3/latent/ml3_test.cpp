// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "ml3_component_testing.hpp"
#include "unusable_data_testing.hpp"

namespace ml3_test {

using namespace semblance;
using namespace semblance::ml3::testing;

namespace {

TrainedSolver train(const Data& data, Context& context, const Parameters& parameters = {}) {
  return semblance::ml3::testing::train("solver/ml3", data, context, parameters);
}

const Parameters quick{
    {"models", std::int64_t{3}}, {"iterations", std::int64_t{3}}, {"lambda", 1e-3}};

}  // namespace

TEST_CASE("XOR is solved with two models a class, from the best of some starts, and not with one") {
  const Data data = xor_data(1000, 1), test = xor_data(2000, 2);
  for (const double p : {1.0, 1.5}) {
    double objective[2] = {1, 1}, error[2] = {1, 1};
    for (const std::int64_t models : {1, 2})
      for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        TestContext context(1, seed);
        const auto trained = train(data, context, {{"models", models}, {"p", p}, {"lambda", 1e-4}});
        const double reached = trained.report.numbers.at("objective");
        if (reached >= objective[models - 1]) continue;
        objective[models - 1] = reached;
        error[models - 1] = error_rate(*trained.solver, test);
      }
    CHECK(error[0] > 0.2);
    CHECK(error[1] < 0.05);
  }
}

TEST_CASE("with some more models XOR is solved from every start") {
  const Data data = xor_data(1000, 1), test = xor_data(2000, 2);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TestContext context(1, seed);
    CHECK(error_rate(*train(data, context, {{"models", std::int64_t{10}}, {"lambda", 1e-4}}).solver,
                     test) < 0.05);
  }
}

TEST_CASE("the reported objective and errors are those of the scores") {
  TestContext context;
  const Data data = clouds(600, 20, 3);
  const auto trained = train(data, context, quick);
  MemoryState state;
  trained.solver->save(state);
  double norm = 0, losses = 0;
  for (const float w : state.floats("models").values) norm += double{w} * double{w};
  const FloatMatrix f = scores(*trained.solver, data);
  for (std::size_t i = 0; i < 600; ++i) {
    const auto label = static_cast<std::size_t>(data.labels[i]);
    float rival = 0;
    for (std::size_t c = 0; c < 3; ++c)
      if (c != label) rival = std::max(rival, f.values[3 * i + c]);
    losses += std::max(0.0, 1 + double{rival} - double{f.values[3 * i + label]});
  }
  CHECK(trained.report.numbers.at("mean_loss") == doctest::Approx(losses / 600).epsilon(1e-6));
  CHECK(trained.report.numbers.at("squared_norm") == doctest::Approx(norm).epsilon(1e-9));
  CHECK(trained.report.numbers.at("objective") ==
        doctest::Approx(1e-3 / 2 * norm + losses / 600).epsilon(1e-6));
  CHECK(trained.report.numbers.at("train_error_rate") ==
        doctest::Approx(error_rate(*trained.solver, data)));
  CHECK(trained.report.texts.at("certificate") == "all passes made");
  CHECK(trained.report.integers.at("parameters") == 3 * 3 * 21);
  CHECK(trained.report.integers.at("steps") == 4 * 600);
}

TEST_CASE("curves hold one value an iteration, the exact ones on request") {
  TestContext context;
  const Data data = clouds(300, 5, 3);
  const auto plain = train(data, context, quick);
  CHECK(plain.report.curves.at("running_loss_by_iteration").x == std::vector<double>{1, 2, 3});
  CHECK(plain.report.curves.count("objective_by_iteration") == 0);
  Parameters traced = quick;
  traced.push_back({"trace", true});
  const auto exact = train(data, context, traced);
  const Curve& curve = exact.report.curves.at("objective_by_iteration");
  CHECK(curve.y.size() == 3);
  CHECK(curve.y.back() == exact.report.numbers.at("objective"));
  CHECK(exact.report.numbers.at("objective") == plain.report.numbers.at("objective"));
}

TEST_CASE("a path of lambdas ends where as many iterations at lambda do, and is reported") {
  TestContext context;
  const Data data = clouds(600, 20, 3);
  Parameters along = quick;
  along.push_back({"path", std::vector<double>{1e-1, 1e-2}});
  const auto path = train(data, context, along), alone = train(data, context, quick);
  Parameters longer{{"models", std::int64_t{3}}, {"iterations", std::int64_t{9}}, {"lambda", 1e-3}};
  const auto patient = train(data, context, longer);
  CHECK(path.report.curves.at("objective_by_lambda").x == std::vector<double>{1e-1, 1e-2, 1e-3});
  CHECK(path.report.curves.at("objective_by_lambda").y.back() ==
        path.report.numbers.at("objective"));
  CHECK(path.report.numbers.at("objective") ==
        doctest::Approx(patient.report.numbers.at("objective")).epsilon(0.1));
  CHECK(path.report.numbers.at("objective") < alone.report.numbers.at("objective"));
  CHECK(alone.report.curves.count("objective_by_lambda") == 0);
  CHECK_THROWS_WITH_AS(
      make_component<Solver>("solver/ml3",
                             {{"path", std::vector<double>{1e-2, 1e-1}}, {"lambda", 1e-3}}),
      "'path' must decrease, and end above lambda", Error);
}

TEST_CASE("threads do not change the bits, the seed does") {
  // Large enough that batches are shared out.
  const Data data = clouds(300, 300, 20);
  const Parameters parameters{
      {"models", std::int64_t{20}}, {"iterations", std::int64_t{2}}, {"lambda", 1e-4}};
  TestContext one(1), three(3), other(1, 2);
  const auto first = scores(*train(data, one, parameters).solver, data).values;
  CHECK(first == scores(*train(data, three, parameters).solver, data).values);
  CHECK(first != scores(*train(data, other, parameters).solver, data).values);
}

TEST_CASE("the batch changes roundings only") {
  TestContext context;
  const Data data = clouds(500, 20, 5);
  Parameters single = quick;
  single.push_back({"batch", std::int64_t{1}});
  const auto one = train(data, context, single), many = train(data, context, quick);
  CHECK(one.report.numbers.at("objective") ==
        doctest::Approx(many.report.numbers.at("objective")).epsilon(1e-3));
}

TEST_CASE("the scores of a row do not depend on the rows around it") {
  TestContext context;
  const Data data = clouds(600, 33, 3);
  const auto trained = train(data, context, quick);
  const FloatMatrix together = scores(*trained.solver, data);
  for (std::size_t i = 0; i < 600; i += 7) {
    FloatMatrix alone(1, 3);
    trained.solver->apply(data.values.view().rows_range(i, 1), alone.view(), context);
    REQUIRE(std::equal(alone.values.begin(), alone.values.end(),
                       together.values.begin() + static_cast<std::ptrdiff_t>(i * 3)));
  }
}

TEST_CASE("shares are the weights that maximise the class's score, scaled to sum 1") {
  TestContext context;
  const Data data = clouds(200, 6, 3);
  for (const double p : {1.0, 1.5}) {
    Parameters parameters = quick;
    parameters.push_back({"p", p});
    const auto trained = train(data, context, parameters);
    MemoryState state;
    trained.solver->save(state);
    const FloatMatrix w = state.floats("models");
    REQUIRE(trained.solver->local_models() == 3);
    const Data centred = about_centre(data, state);
    FloatMatrix shares(200, 3);
    const std::vector<std::int32_t> first(200, 0);
    trained.solver->assign(data.values.view(), first, shares.view(), context);
    std::size_t unserved = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const auto x = std::as_const(centred.values).view().row_span(i);
      // For class 0: shares are proportional to max(0, w_j . x)^(q - 1), q = 3, or the best model
      // has all.
      double c[3], sum = 0;
      for (std::size_t j = 0; j < 3; ++j)
        c[j] = std::inner_product(x.begin(), x.end(), w.view().row(j), double{w.view().row(j)[6]});
      if (p == 1) {
        const auto best = static_cast<std::size_t>(std::max_element(c, c + 3) - c);
        for (std::size_t j = 0; j < 3; ++j)
          REQUIRE(shares.values[3 * i + j] == (j == best && c[j] > 0 ? 1 : 0));
        unserved += c[best] <= 0;
        continue;
      }
      for (double& value : c) sum += value = std::pow(std::max(value, 0.0), 2);
      unserved += sum == 0;
      for (std::size_t j = 0; j < 3; ++j)
        REQUIRE(shares.values[3 * i + j] ==
                doctest::Approx(sum > 0 ? c[j] / sum : 0).epsilon(1e-3));
    }
    CHECK(unserved < 200);
  }
}

TEST_CASE("from two classes to thousands") {
  for (const std::size_t classes : {2, 3, 40, 1500}) {
    TestContext context;
    const Data data = clouds(std::max<std::size_t>(400, 2 * classes), 8, classes);
    const auto trained = train(data, context, quick);
    CHECK(error_rate(*trained.solver, data) ==
          doctest::Approx(trained.report.numbers.at("train_error_rate")));
    if (classes == 2) CHECK(error_rate(*trained.solver, data) < 0.35);
  }
}

TEST_CASE("a saved model gives the same bits") {
  TestContext context;
  const Data data = clouds(300, 17, 4);
  for (const double bias : {0.0, 2.0}) {
    Parameters parameters = quick;
    parameters.push_back({"bias", bias});
    parameters.push_back({"p", 1.7});
    const auto trained = train(data, context, parameters);
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = make_component<Solver>("solver/ml3");
    loaded->bind(Layout::vector(17));
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(17)) == Layout::vector(4));
    CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
  }
}

TEST_CASE("a stop request leaves a model and says so") {
  const Data data = clouds(500, 10, 3);
  for (const auto& [reason, text] : {std::pair{StopReason::deadline, "deadline"},
                                     std::pair{StopReason::cancelled, "cancelled"}}) {
    TestContext context;
    context.stop = reason;
    const auto trained = train(data, context, quick);
    CHECK(trained.report.texts.at("certificate") == text);
    CHECK(trained.report.numbers.at("objective") == 1);
    CHECK(scores(*trained.solver, data).values == std::vector<float>(1500, 0));
  }
}

namespace {

/// Requests a stop after a share of the work.
class StoppingContext final : public TestContext {
 public:
  explicit StoppingContext(double share) : TestContext(1), share_(share) {}
  void progress(double done, double total) override {
    if (done / total >= share_) stop = StopReason::deadline;
  }

 private:
  double share_;
};

}  // namespace

TEST_CASE("a stop in the middle preserves what was learned so far") {
  StoppingContext context(0.5);
  const Data data = clouds(2000, 10, 3);
  const auto trained = train(data, context, quick);
  CHECK(trained.report.texts.at("certificate") == "deadline");
  CHECK(trained.report.integers.at("steps") < 4 * 2000);
  CHECK(trained.report.numbers.at("objective") < 1);
  CHECK(error_rate(*trained.solver, data) < 0.4);
}

TEST_CASE("unusable training data are named") {
  check_unusable_training_data("solver/ml3");
  Data data = clouds(30, 4, 2);
  for (float& x : data.values.values) x *= 1e30f;
  CHECK(training_error("solver/ml3", data) ==
        "the models left the range of float32; normalize the rows or raise lambda");
}

TEST_CASE("too little memory is refused with the sum") {
  const Data data = clouds(200, 100, 5);
  const std::string message =
      training_error("solver/ml3", data, {{"models", std::int64_t{1000}}}, std::size_t{4} << 20);
  CHECK(message.find("training needs 16 MiB (5 x 3 MiB for 5000 models") == 0);
  CHECK(message.find("may use only 4 MiB; use fewer models, a smaller batch or more --memory") !=
        std::string::npos);
}

TEST_CASE("an untrained or damaged model is refused") {
  TestContext context;
  const auto solver = make_component<Solver>("solver/ml3");
  solver->bind(Layout::vector(4));
  FloatMatrix in(1, 4), out(1, 2);
  CHECK_THROWS_AS(solver->apply(in.view(), out.view(), context), Error);
  MemoryState state;
  state.integer("inputs", 4);
  state.integer("classes", 2);
  state.number("p", 1.5);
  state.number("bias", 1);
  state.floats("models", FloatMatrix(3, 5).view());
  CHECK_THROWS_AS(solver->load(state, context), Error);
}

}  // namespace ml3_test
