// SPDX-License-Identifier: MIT
#include "crammer_singer/crammer_singer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "solver_testing.hpp"

namespace crammer_singer_test {

using namespace semblance;
using semblance::linear::CrammerSingerStep;
using namespace semblance::common::testing;

namespace {

const Parameters joint = {{"multiclass", std::string("crammer_singer")},
                          {"tolerance", 1e-4},
                          {"max_iterations", std::int64_t{20000}}};

/// 1/2 A |a - from|^2 + slope.(a - from): the objective of a sample up to a constant.
double value(double curvature, const std::vector<double>& slope, const std::vector<double>& from,
             const std::vector<double>& a) {
  double sum = 0;
  for (std::size_t m = 0; m < a.size(); ++m)
    sum += (curvature / 2 * (a[m] - from[m]) + slope[m]) * (a[m] - from[m]);
  return sum;
}

/// Optimises every pair of entries repeatedly: slow, but shares no code.
std::vector<double> by_pairs(double curvature, const std::vector<double>& slope,
                             const std::vector<double>& from, std::size_t own, double cost) {
  std::vector<double> a = from;
  for (int round = 0; round < 2000; ++round)
    for (std::size_t p = 0; p < a.size(); ++p)
      for (std::size_t q = 0; q < a.size(); ++q) {
        if (p == q) continue;
        const double gp = slope[p] + curvature * (a[p] - from[p]);
        const double gq = slope[q] + curvature * (a[q] - from[q]);
        const double room = (p == own ? cost : 0) - a[p];
        const double step = std::min(room, (gq - gp) / (2 * curvature));
        if (step <= 0) continue;
        a[p] += step;
        a[q] -= step;
      }
  return a;
}

}  // namespace

TEST_CASE("a row's step is the minimum that exchanges between pairs find") {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t k = 2 + random.below(6), own = random.below(k);
    const double curvature = random.uniform(0.1, 3), cost = random.uniform(0.1, 2);
    std::vector<double> from(k), slope(k);
    for (std::size_t m = 0; m < k; ++m) {
      slope[m] = 2 * random.normal();
      if (m == own) continue;
      from[m] = -cost * random.uniform() / static_cast<double>(k);
      from[own] -= from[m];
    }
    std::vector<double> a = from;
    CrammerSingerStep step(k);
    step.solve(curvature, slope, own, cost, a);
    double sum = 0;
    for (std::size_t m = 0; m < k; ++m) {
      sum += a[m];
      REQUIRE(a[m] <= (m == own ? cost : 0));
    }
    REQUIRE(std::abs(sum) < 1e-12);
    const std::vector<double> expected = by_pairs(curvature, slope, from, own, cost);
    REQUIRE(value(curvature, slope, from, a) <= value(curvature, slope, from, expected) + 1e-10);
    for (std::size_t m = 0; m < k; ++m) slope[m] += curvature * (a[m] - from[m]);
    REQUIRE(CrammerSingerStep::violation(slope, a, own, cost) < 1e-9);
  }
}

TEST_CASE("a row's step ends and is feasible, however its sums are rounded") {
  Random random(4);
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t k = 2 + random.below(9), own = random.below(k);
    const double curvature = std::pow(10, random.uniform(-8, 9));
    const double cost = std::pow(10, random.uniform(-6, 3));
    std::vector<double> alpha(k), slope(k);
    for (double& s : slope) s = std::pow(10, random.uniform(-9, 3)) * random.normal();
    CrammerSingerStep(k).solve(curvature, slope, own, cost, alpha);
    double sum = 0;
    for (std::size_t m = 0; m < k; ++m) {
      CHECK(alpha[m] <= (m == own ? cost : 0));
      sum += alpha[m];
    }
    CHECK(std::abs(sum) <= 1e-9 * (cost + 1e3 / curvature));
  }
}

TEST_CASE("the row of a constant zero takes its whole cost from the strongest rival") {
  CrammerSingerStep step(3);
  std::vector<double> a(3);
  step.solve(0, std::vector<double>{1, 0, 2}, 1, 0.5, a);
  CHECK(a == std::vector<double>{0, 0.5, -0.5});
}

TEST_CASE("Crammer and Singer's objective is that of the scores, and proved") {
  const Data data = clouds(700, 20, 4);
  TestContext context;
  const auto trained = train("solver/linear_svm", data, context, joint);
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.numbers.at("duality_gap") <= 1e-4);
  CHECK(trained.report.numbers.at("lower_bound") < trained.report.numbers.at("objective"));
  double objective = trained.report.numbers.at("squared_norm") / 2;
  const FloatMatrix f = scores(*trained.solver, data);
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    const auto own = static_cast<std::size_t>(data.labels[i]);
    double loss = 0;
    for (std::size_t m = 0; m < 4; ++m)
      if (m != own) loss = std::max(loss, 1.0 + f.values[i * 4 + m] - f.values[i * 4 + own]);
    objective += loss;
  }
  CHECK(trained.report.numbers.at("objective") == doctest::Approx(objective).epsilon(1e-5));
  CHECK(trained.report.tables.at("objectives").rows == std::vector<std::string>{"all classes"});
}

TEST_CASE(
    "Crammer and Singer's machine of two classes keeps both vectors, and is saved with them") {
  const Data data = clouds(300, 8, 2);
  TestContext context;
  const auto trained = train("solver/linear_svm", data, context, joint);
  CHECK(trained.report.integers.at("parameters") == 2 * 9);
  MemoryState state;
  trained.solver->save(state);
  const auto loaded = make_component<Solver>("solver/linear_svm");
  loaded->load(state, context);
  CHECK(loaded->bind(Layout::vector(8)) == Layout::vector(2));
  CHECK(scores(*loaded, data).values == scores(*trained.solver, data).values);
}

TEST_CASE("Crammer and Singer: the same bits on one and two threads, with rows sorted by class") {
  Data data = clouds(1500, 40, 3);
  std::vector<std::size_t> order(1500);
  for (std::size_t i = 0; i < 1500; ++i) order[i] = i % 500 * 3 + i / 500;
  Data sorted{FloatMatrix(1500, 40), {}, data.classes};
  for (std::size_t i = 0; i < 1500; ++i) {
    std::copy_n(data.values.values.begin() + static_cast<std::ptrdiff_t>(order[i] * 40), 40,
                sorted.values.values.begin() + static_cast<std::ptrdiff_t>(i * 40));
    sorted.labels.push_back(data.labels[order[i]]);
  }
  TestContext one(1), two(2);
  const auto trained = train("solver/linear_svm", sorted, one, joint);
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(scores(*trained.solver, data).values ==
        scores(*train("solver/linear_svm", sorted, two, joint).solver, data).values);
}

TEST_CASE("Crammer and Singer with too little memory says what it takes") {
  CHECK(training_error("solver/linear_svm", clouds(900, 30, 3), joint, 20 << 10)
            .starts_with("the Crammer-Singer machine takes 1 MiB: 8 bytes x 900 rows x 3 classes "
                         "for its variables"));
}

}  // namespace crammer_singer_test
