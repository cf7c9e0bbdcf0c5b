// SPDX-License-Identifier: MIT
#include "newton/splitting.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "newton/newton.hpp"
#include "solver_testing.hpp"

namespace splitting_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::common::testing;

namespace {

constexpr std::size_t count = 300, columns = 40;

Data clusters() {
  Random random(21);
  Data data{FloatMatrix(count, columns), {}, {"a", "b", "c"}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t label = random.below(3);
    data.labels.push_back(static_cast<std::int32_t>(label));
    for (std::size_t j = 0; j < columns; ++j)
      data.values.values[i * columns + j] =
          static_cast<float>(3 * random.normal() + (j % 3 == label ? 1 : 0));
  }
  return data;
}

std::size_t said(const TestContext& context, const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      context.lines,
      [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

}  // namespace

TEST_CASE("splitting converges to the optimum, also with weights of rows and other penalties") {
  const Data data = clusters();
  const MemoryRows rows(data.values);
  TestContext context;
  std::vector<double> weights(count, 1.0);
  for (std::size_t i = 0; i < count; i += 3) weights[i] = static_cast<double>(i % 4);
  const std::vector<std::size_t> all{0, 1, 2};
  for (const double penalty : {0.02, 0.2}) {
    SquaredLosses::Data task{rows, HingeLosses(data.labels, {0, 1, 2}), 2, 1, weights};
    SquaredLosses problem(task, context);
    const Solution best =
        std::move(minimise(problem, std::vector<double>{2}, NewtonOptions{1e-8}, context).back());
    SquaredLosses fresh(task, context);
    Vectors<double> w(3, fresh.dimension()), gradient(3, fresh.dimension());
    REQUIRE(Splitting(fresh, penalty).solve(all, 1000, std::size_t{1} << 30, w));
    REQUIRE(fresh.set_step(w, all));
    fresh.move(std::vector<double>(3, 1.0), all);
    std::vector<SquaredLosses::Value> values(3);
    REQUIRE(fresh.evaluate(w, all, values, gradient));
    for (const std::size_t c : all)
      CHECK(values[c].primal == doctest::Approx(best.outcomes[c].primal).epsilon(1e-3));
  }
}

TEST_CASE("splitting needs memory for its factor") {
  const Data data = clusters();
  const MemoryRows rows(data.values);
  TestContext context;
  SquaredLosses problem({rows, HingeLosses(data.labels, {0, 1, 2}), 2, 1}, context);
  Vectors<double> w(3, problem.dimension());
  CHECK_THROWS_AS(Splitting(problem, 0.1).solve(std::vector<std::size_t>{0, 1, 2}, 10, 1000, w),
                  MemoryError);
}

TEST_CASE("machines for which conjugate gradients are fast do without splitting") {
  const Data data = clusters();
  for (const double cost : {0.01, 10.0}) {
    TestContext context;
    const auto trained = train("solver/linear_svm", data, context, {{"C", cost}});
    CHECK(trained.report.texts.at("certificate") == "converged");
    CHECK(said(context, "splitting, ") == 0);
  }
}

}  // namespace splitting_test
