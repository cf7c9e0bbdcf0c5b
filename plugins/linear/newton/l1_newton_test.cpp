// SPDX-License-Identifier: MIT
#include "newton/l1_newton.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "newton/l1_subproblem.hpp"
#include "solver_testing.hpp"

namespace l1_newton_test {

using namespace semblance;
using namespace semblance::linear;
using namespace semblance::common::testing;

namespace {

const Parameters l1 = {{"regularizer", std::string("l1")}, {"tolerance", 1e-7}};

}  // namespace

TEST_CASE("the quadratic problem's solution satisfies its optimality conditions") {
  Random random(4);
  for (const std::size_t rank : {3, 20, 60}) {  // of 40: singular, half of it, and full
    constexpr std::size_t k = 40;
    Vectors<double> gram(k, k);
    for (std::size_t r = 0; r < rank; ++r) {
      std::vector<double> x(k);
      for (double& v : x) v = random.normal() + 1;
      for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j <= i; ++j) gram.row(i)[j] += x[i] * x[j];
    }
    L1Quadratic problem{gram, 0.5, {}, {}};
    std::vector<double> target(k);  // minimum of the smooth part
    for (double& t : target) t = random.normal();
    for (std::size_t j = 0; j < k; ++j) {
      double slope = 0;
      for (std::size_t i = 0; i < k; ++i)
        slope -= 0.5 * gram.row(std::max(i, j))[std::min(i, j)] * target[i];
      problem.slope.push_back(slope);
      problem.w.push_back(j % 3 == 0 ? random.normal() : 0);
    }
    TestContext context;
    std::vector<double> v;
    REQUIRE(minimise(problem, 1e-8, v, context));
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < k; ++i) {
      double slope = problem.slope[i];
      for (std::size_t j = 0; j < k; ++j)
        slope += 0.5 * gram.row(std::max(i, j))[std::min(i, j)] * (v[j] - problem.w[j]);
      if (v[i] == 0)
        CHECK(std::abs(slope) <= 1 + 1e-6);
      else
        CHECK(slope == doctest::Approx(v[i] > 0 ? -1 : 1).epsilon(1e-6));
      zeros += v[i] == 0;
    }
    CHECK(zeros > 0);
  }
}

TEST_CASE("l1: the objective is that of the scores, and proved") {
  const Data data = clouds(600, 50, 3);
  TestContext context;
  Parameters parameters = l1;
  parameters.emplace_back("center", false);
  const auto trained = train("solver/linear_svm", data, context, parameters);
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("duality_gap") <= 1e-7);
  CHECK(trained.report.numbers.at("duality_gap") >= -1e-12);
  CHECK(trained.report.integers.at("nonzeros") < trained.report.integers.at("parameters"));
  MemoryState state;
  trained.solver->save(state);
  double objective = 0;
  for (const char* name : {"weights", "offsets"})  // bias 1: the offset is the bias weight
    for (const double w : state.doubles(name)) objective += std::abs(w);
  const FloatMatrix f = scores(*trained.solver, data);
  for (std::size_t i = 0; i < 600; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const double y = static_cast<std::size_t>(data.labels[i]) == c ? 1 : -1;
      objective += std::pow(std::max(0.0, 1 - y * f.values[i * 3 + c]), 2);
    }
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-6));
}

TEST_CASE("l1: with so small a C that no weight pays, all are zero at once") {
  TestContext context;
  const auto trained = train("solver/linear_svm", clouds(200, 10, 3), context,
                             {{"regularizer", std::string("l1")}, {"C", 1e-6}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.integers.at("nonzeros") == 0);
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(3 * 200 * 1e-6));
}

TEST_CASE("l1: the same bits on one and two threads") {
  const Data data = clouds(2000, 150, 5);
  TestContext one(1), two(2);
  CHECK(scores(*train("solver/linear_svm", data, one, l1).solver, data).values ==
        scores(*train("solver/linear_svm", data, two, l1).solver, data).values);
}

TEST_CASE("l1: the memory decides how many problems are solved at once, not the result") {
  const Data data = clouds(400, 120, 3);
  CHECK(same_bits_with_budgets("solver/linear_svm", data, l1, {8 << 10, 3000, 2400}));
  CHECK(training_error("solver/linear_svm", data, l1, 550 << 10)
            .starts_with("working sets of up to "));
}

}  // namespace l1_newton_test
