// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "convergence_testing.hpp"
#include "newton/newton_memory.hpp"
#include "solver_testing.hpp"
#include "unusable_data_testing.hpp"

namespace linear_svm_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

TrainedSolver train(const Data& data, Context& context, const Parameters& parameters = {}) {
  return common::testing::train("solver/linear_svm", data, context, parameters);
}

}  // namespace

TEST_CASE("the objective is certified by a lower bound") {
  TestContext context;
  const Data data = clouds(1000, 30, 5);
  const auto trained = train(data, context, {{"tolerance", 1e-7}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("duality_gap") <= 1e-7);
  CHECK(trained.report.numbers.at("duality_gap") >= -1e-12);
  CHECK(trained.report.tables.at("objectives").rows.size() == 5);
  CHECK(trained.report.integers.at("parameters") == 5 * 31);
}

TEST_CASE("every method of a linear SVM reports the gap on its way to the tolerance") {
  const Data data = clouds(900, 20, 3);
  for (const Parameters& parameters :
       {Parameters{},
        {{"regularizer", std::string("l1")}},
        {{"multiclass", std::string("crammer_singer")}, {"max_iterations", std::int64_t{20000}}}}) {
    TestContext context;
    const MemoryReport report = train(data, context, parameters).report;
    double worst = 0;
    const Table& table = report.tables.at("objectives");
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      worst = std::max(worst, table.values[i * table.columns.size() + 2]);
    common::testing::check_convergence(report, "iteration", 1e-5, worst);
  }
}

TEST_CASE("similarities of a few points: whatever the C, no step ends at that of a smaller one") {
  constexpr std::size_t points = 10;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::array<std::array<double, 2>, points> places{};
    for (auto& [x, y] : places) x = random.normal(), y = random.normal();
    Data data{FloatMatrix(points, points), {}, {"a", "b"}};
    for (std::size_t i = 0; i < points; ++i) {
      data.labels.push_back(i < 2 ? i == 0 : places[i][0] + random.normal() > 0);
      for (std::size_t j = 0; j < points; ++j)
        data.values.values[i * points + j] = static_cast<float>(std::exp(
            -std::abs(places[i][0] - places[j][0]) - std::abs(places[i][1] - places[j][1])));
    }
    TestContext context;
    const auto trained = train(data, context);
    CHECK(trained.report.texts.at("certificate") == "converged");
    CHECK(trained.report.numbers.at("duality_gap") <= 1e-5);
  }
}

TEST_CASE("the reported objective is that of the scores") {
  TestContext context;
  const Data data = clouds(600, 20, 3);
  const auto trained = train(data, context, {{"C", 0.5}, {"bias", 0.0}});
  MemoryState state;
  trained.solver->save(state);
  double objective = 0;
  for (const double w : state.doubles("weights")) objective += w * w / 2;
  const FloatMatrix f = scores(*trained.solver, data);
  for (std::size_t i = 0; i < 600; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double y = static_cast<std::size_t>(data.labels[i]) == c ? 1 : -1;
      objective += 0.5 * std::pow(std::max(0.0, 1 - y * f.values[i * 3 + c]), 2);
    }
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-6));
}

TEST_CASE("weights are reported by the names of their columns, if these have names") {
  for (const std::size_t classes : {2, 3}) {
    TestContext context;
    const Data data = clouds(200, 4, classes);
    const std::vector<std::string> names = {"a", "b=x", "b=y", "c"};
    TrainedSolver named{make_component<Solver>("solver/linear_svm", {}), {}};
    const Layout layout = Layout::vector(4);
    named.solver->bind(layout);
    const MemoryRows rows(data.values);
    TrainingSet training{rows, layout, data.labels, data.classes};
    training.columns = names;
    named.solver->train(training, named.report, context);
    const Table& table = named.report.tables.at("weights");
    CHECK(table.rows == names);
    CHECK(table.columns.size() == (classes == 2 ? 1 : 3));
    CHECK(table.columns.back() == data.classes.back());
    // A column's weight is visible in the score of its unit vector.
    FloatMatrix unit(5, 4);
    for (std::size_t c = 0; c < 4; ++c) unit.values[(c + 1) * 4 + c] = 1;
    FloatMatrix scores(5, classes);
    named.solver->apply(unit.view(), scores.view(), context);
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t k = 0; k < table.columns.size(); ++k) {
        const std::size_t class_of = classes == 2 ? 1 : k;
        CHECK(double(scores.values[(c + 1) * classes + class_of] - scores.values[class_of]) ==
              doctest::Approx(table.values[c * table.columns.size() + k]).epsilon(1e-4));
      }
    CHECK(train(data, context).report.tables.count("weights") == 0);
  }
}

TEST_CASE("one and two threads give the same bits") {
  const Data data = clouds(3000, 70, 10);
  TestContext one(1), two(2);
  CHECK(scores(*train(data, one).solver, data).values ==
        scores(*train(data, two).solver, data).values);
}

TEST_CASE("the scores of a row do not depend on the rows around it") {
  TestContext context;
  for (const std::size_t classes : {2, 3, 7, 12}) {
    const Data data = clouds(200, 33, classes);
    const auto trained = train(data, context);
    const FloatMatrix together = scores(*trained.solver, data);
    for (std::size_t i = 0; i < 200; ++i) {
      FloatMatrix alone(1, classes);
      trained.solver->apply(data.values.view().rows_range(i, 1), alone.view(), context);
      REQUIRE(std::equal(alone.values.begin(), alone.values.end(),
                         together.values.begin() + static_cast<std::ptrdiff_t>(i * classes)));
    }
  }
}

TEST_CASE("two classes are one problem with opposite scores") {
  TestContext context;
  const Data data = clouds(500, 10, 2);
  const auto trained = train(data, context);
  CHECK(trained.report.tables.at("objectives").rows == std::vector<std::string>{"class 1"});
  const FloatMatrix f = scores(*trained.solver, data);
  std::size_t right = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    REQUIRE(f.values[2 * i] == -f.values[2 * i + 1]);
    right += (f.values[2 * i + 1] > 0) == (data.labels[i] == 1);
  }
  CHECK(right > 400);
}

TEST_CASE("a saved model gives the same bits") {
  TestContext context;
  for (const std::size_t classes : {2, 5}) {
    const Data data = clouds(300, 17, classes);
    const auto trained = train(data, context);
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = make_component<Solver>("solver/linear_svm");
    loaded->bind(Layout::vector(17));
    loaded->load(state, context);
    CHECK(loaded->bind(Layout::vector(17)) == Layout::vector(classes));
    CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
  }
}

TEST_CASE("a stop request leaves a model and says so") {
  const Data data = clouds(500, 10, 3);
  for (const auto& [reason, text] : {std::pair{StopReason::deadline, "deadline"},
                                     std::pair{StopReason::cancelled, "cancelled"}}) {
    TestContext context;
    context.stop = reason;
    const auto trained = train(data, context);
    CHECK(trained.report.texts.at("certificate") == text);
    CHECK(trained.report.numbers.at("objective") == doctest::Approx(1500));
    CHECK(scores(*trained.solver, data).values == std::vector<float>(1500, 0));
  }
}

TEST_CASE("too few iterations are reported as such") {
  TestContext context;
  const auto trained = train(clouds(500, 10, 3), context,
                             {{"max_iterations", std::int64_t{1}}, {"tolerance", 1e-12}});
  CHECK(trained.report.texts.at("certificate") == "iteration limit");
  CHECK(trained.report.numbers.at("duality_gap") > 1e-12);
}

TEST_CASE("the memory decides whether training is possible, never its result") {
  const Data data = clouds(2000, 50, 6);
  CHECK(same_bits_with_budgets("solver/linear_svm", data, {{"tolerance", 1e-7}},
                               {64 << 10, 8 << 10, 2000}));
  CHECK(training_error("solver/linear_svm", data, {}, 200 << 10) ==
        "training 6 of 6 problems at once on 2000 rows of 51 values takes 1 MiB in addition to the "
        "rows, but 0 MiB are left; raise --memory, or train on fewer rows or columns");
}

TEST_CASE("many classes are solved in batches of the same size with any memory") {
  const Data data = clouds(3000, 4, 1500);
  CHECK(semblance::linear::newton_batch(3000, 5, 1500) == 1500);
  CHECK(semblance::linear::newton_batch(100'000, 1000, 10'000) == 79);
  CHECK(same_bits_with_budgets("solver/linear_svm", data, {{"tolerance", 0.1}}, {200 << 10}));
}

TEST_CASE("unusable training data are named") { check_unusable_training_data("solver/linear_svm"); }

}  // namespace linear_svm_test
