// SPDX-License-Identifier: MIT
#include "convergence_testing.hpp"
#include "newton/newton_svm.hpp"
#include "newton/vec_trick.hpp"
#include "semblance/solver.hpp"
#include "testing/pairs_testing.hpp"

namespace semblance::pairs::kronecker_svm_test {

using namespace testing;

const Parts gaussians = {{"first", part("similarity/rbf", {{"gamma", 0.5}})},
                         {"second", part("similarity/rbf", {{"gamma", 0.25}})}};

/// The kernel of two pairs, in double.
double kernel(const MadePairs& pairs, std::size_t i, std::size_t j) {
  return gaussian(pairs.sample(0, i), pairs.sample(0, j), 0.5) *
         gaussian(pairs.sample(1, i), pairs.sample(1, j), 0.25);
}

struct Trained {
  std::unique_ptr<Solver> machine;
  MemoryReport report;
  FloatMatrix scores;
};

Trained trained(const MadePairs& pairs, const std::vector<std::int32_t>& labels,
                const std::vector<std::string>& classes, const Parameters& parameters,
                std::size_t threads = 2) {
  TestContext context(threads);
  Trained made{make_component<Solver>("solver/kronecker_svm", parameters, gaussians), {}, {}};
  const MatrixRows rows(std::as_const(pairs.rows).view());
  made.machine->bind(pairs.layout);
  made.machine->train({rows, pairs.layout, labels, classes}, made.report, context);
  made.scores = FloatMatrix(pairs.count(), classes.size());
  made.machine->apply(std::as_const(pairs.rows).view(), made.scores.view(), context);
  return made;
}

TEST_CASE("Newton's method finds where the optimality conditions hold") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  const std::size_t n = pairs.count();
  std::vector<double> signs(n);
  Random random(4);
  for (std::size_t i = 0; i < n; ++i)
    signs[i] = pairs.sample(0, i)[0] * pairs.sample(1, i)[0] + 0.5 * random.normal() > 0.2 ? 1 : -1;
  for (const double cost : {0.01, 1.0, 1000.0}) {
    CAPTURE(cost);
    NewtonSvm problem;
    problem.cost = cost;
    problem.tolerance = 1e-12;
    problem.multiply = [&](std::span<const double> v, std::span<double> u) {
      for (std::size_t i = 0; i < n; ++i) {
        u[i] = 0;
        for (std::size_t j = 0; j < n; ++j) u[i] += kernel(pairs, i, j) * v[j];
      }
    };
    TestContext context;
    const NewtonSvmFit fit = minimize(problem, signs, context);
    CHECK(fit.converged);
    CHECK(fit.objective >= fit.bound * (1 - 1e-12));
    double sum = 0, worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double f = fit.intercept;
      for (std::size_t j = 0; j < n; ++j) f += kernel(pairs, i, j) * fit.coefficients[j];
      const double loss = std::max(0.0, 1 - signs[i] * f);
      worst = std::max(worst, std::abs(fit.coefficients[i] - 2 * cost * signs[i] * loss));
      sum += fit.coefficients[i];
    }
    CHECK(worst < 1e-3 * std::max(1.0, cost));
    CHECK(fit.objective - fit.bound <= 1.001e-7 * fit.objective);
    CHECK(std::abs(sum) < 1e-8 * std::max(1.0, cost));
  }
}

TEST_CASE("two classes have opposite scores, and the bits do not depend on threads") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < pairs.count(); ++i)
    labels.push_back(pairs.sample(0, i)[0] * pairs.sample(1, i)[0] > 0);
  const Trained one = trained(pairs, labels, {"no", "yes"}, {{"C", 100.0}}, 1);
  const Trained many = trained(pairs, labels, {"no", "yes"}, {{"C", 100.0}}, 3);
  CHECK(one.scores.values == many.scores.values);
  std::size_t right = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const float* const scores = one.scores.view().row(i);
    CHECK(scores[0] == -scores[1]);
    right += (scores[1] > 0) == (labels[i] == 1);
  }
  CHECK(right == pairs.count());
  CHECK(one.report.texts.at("certificate") == "converged");
  CHECK(one.report.numbers.at("duality_gap") < 1e-4);
  common::testing::check_convergence(one.report, "Newton_step", 1e-4,
                                     one.report.numbers.at("duality_gap"));
}

TEST_CASE("several classes have a function each, and a state keeps their bits") {
  const MadePairs pairs = made_pairs(12, 10, 3, 2, 80);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < pairs.count(); ++i)
    labels.push_back(pairs.sample(0, i)[0] > 0.3 ? 2 : pairs.sample(1, i)[0] > 0);
  const Trained made = trained(pairs, labels, {"a", "b", "c"}, {{"C", 100.0}});
  std::size_t right = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const auto scores = made.scores.view().row_span(i);
    right += std::ranges::max_element(scores) - scores.begin() == labels[i];
  }
  CHECK(right == pairs.count());
  MemoryState state;
  made.machine->save(state);
  TestContext context;
  const auto loaded = make_component<Solver>("solver/kronecker_svm", {{"C", 100.0}}, gaussians);
  CHECK(loaded->bind(pairs.layout).depth != 3);
  loaded->load(state, context);
  FloatMatrix scores(1, 3);
  loaded->apply(std::as_const(pairs.rows).view().rows_range(7, 1), scores.view(), context);
  CHECK(std::equal(scores.values.begin(), scores.values.end(), made.scores.view().row(7)));
}

}  // namespace semblance::pairs::kronecker_svm_test
