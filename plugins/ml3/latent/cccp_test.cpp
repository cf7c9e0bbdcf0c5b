// SPDX-License-Identifier: MIT
#include "latent/cccp.hpp"

#include <doctest/doctest.h>

#include "ml3_testing.hpp"

namespace cccp_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

double bound(const Problem& problem, const PowerBall& ball, const Doubles& w,
             const FloatMatrix& own, double lambda, Doubles* gradient) {
  double sum = 0;
  const double n = double(problem.rows.rows);
  if (gradient != nullptr) {
    *gradient = w;
    for (auto& row : *gradient)
      for (double& g : row) g *= lambda;
  }
  for (std::size_t i = 0; i < problem.rows.rows; ++i)
    sum += linearised_loss(problem, ball, w, own, i, gradient, 1 / n);
  return lambda / 2 * squared_norm(w) + sum / n;
}

/// Solves the convex problem (13) approximately by subgradient descent on all samples: returns the
/// best of many points, at worst the start.
Doubles solve_convex(const Problem& problem, const PowerBall& ball, const Doubles& start,
                     const FloatMatrix& own, double lambda) {
  Doubles w = start, best = start, gradient;
  double least = bound(problem, ball, start, own, lambda, nullptr);
  for (int s = 1; s <= 1500; ++s) {
    const double value = bound(problem, ball, w, own, lambda, &gradient);
    if (value < least) {
      least = value;
      best = w;
    }
    const double eta = 1 / (lambda * (double(s) + 20));
    for (std::size_t r = 0; r < w.size(); ++r)
      for (std::size_t k = 0; k < w[r].size(); ++k) w[r][k] -= eta * gradient[r][k];
  }
  return best;
}

CccpResult minimise(const Points& points, std::size_t classes, std::size_t models, double p,
                    const CccpOptions& options) {
  return ml3::minimise(problem_of(points, classes, models), PowerBall(p), options, Random(3),
                       plain_surroundings());
}

}  // namespace

TEST_CASE("with the convex problems solved, the objective never rises") {
  const Points points = xor_points(60);
  constexpr double lambda = 0.01;
  for (const double p : {1.0, 1.5, 4.0}) {
    CAPTURE(p);
    const PowerBall ball(p);
    const Problem problem = problem_of(points, 2, 3);
    Doubles w = doubles(random_models(problem, 4));
    const auto objective = [&] {
      return evaluate(problem, ball, floats(w), plain_surroundings()).objective(lambda);
    };
    double before = objective();
    const double first = before;
    for (int t = 0; t < 8; ++t) {
      FloatMatrix own(60, 3);
      own_weights(problem, ball, floats(w), plain_surroundings(), own);
      // The bound touches the objective where it was made ...
      CHECK(bound(problem, ball, w, own, lambda, nullptr) == doctest::Approx(before).epsilon(1e-5));
      w = solve_convex(problem, ball, w, own, lambda);
      // ... and is above it elsewhere.
      const double after = objective();
      CHECK(after <= bound(problem, ball, w, own, lambda, nullptr) * (1 + 1e-5));
      CHECK(after <= before * (1 + 1e-5));
      before = after;
    }
    CHECK(before < 0.7 * first);
  }
}

TEST_CASE("the descent lowers the objective of the convex problem nearly as far") {
  const Points points = xor_points(200);
  constexpr double lambda = 0.01;
  const PowerBall ball(1.5);
  const CccpResult result = minimise(points, 2, 3, 1.5, {lambda, 20, 20, 8, true});
  const Problem problem = problem_of(points, 2, 3);
  FloatMatrix own(200, 3);
  own_weights(problem, ball, result.w, plain_surroundings(), own);
  const double reached = bound(problem, ball, doubles(result.w), own, lambda, nullptr);
  const Doubles solved = solve_convex(problem, ball, doubles(result.w), own, lambda);
  CHECK(reached == doctest::Approx(result.evaluation->objective(lambda)).epsilon(1e-5));
  CHECK(reached <= 1.03 * bound(problem, ball, solved, own, lambda, nullptr));
}

TEST_CASE("one model a class is a linear machine for every p") {
  const Points points = random_points(200, 6, 4);
  const CccpOptions options{1e-3, 5, 1, 16, false};
  const CccpResult first = minimise(points, 4, 1, 1, options);
  for (const double p : {1.2, 1.5, 2.0, 1000.0})
    CHECK(distance(doubles(minimise(points, 4, 1, p, options).w), doubles(first.w)) < 1e-5);
}

TEST_CASE("only the last iteration averages, with steps that shrink from one to the next") {
  const Points points = random_points(300, 6, 3);
  const CccpResult result = minimise(points, 3, 2, 1.5, {1e-3, 4, 2, 16, true});
  REQUIRE(result.iterations.size() == 5);
  for (const CccpIteration& i : result.iterations) CHECK(i.descent.steps == 600);
  CHECK_FALSE(result.iterations[0].evaluation);
  CHECK(result.evaluation->losses == result.iterations[4].evaluation->losses);
  CHECK(result.evaluation->squared_norm == result.w.squared_norm());
}

TEST_CASE("going on from models leaves the random start out") {
  const Points points = random_points(300, 6, 3);
  const Problem problem = problem_of(points, 3, 2);
  const PowerBall ball(1.5);
  CccpOptions options{1e-3, 20, 1, 16, false};
  CccpResult cold = minimise(points, 3, 2, 1.5, options);
  options.iterations = 1;
  options.before = 20;
  const CccpResult warm =
      ml3::minimise(problem, ball, options, Random(9), plain_surroundings(), std::move(cold.w));
  REQUIRE(warm.iterations.size() == 2);
  CHECK(warm.iterations[0].descent.steps == 0);
  CHECK(warm.iterations[1].descent.steps == 300);
  // One iteration preserves the optimum; from random weights it does not reach it.
  const double reached = warm.evaluation->objective(1e-3);
  CHECK(reached == doctest::Approx(cold.evaluation->objective(1e-3)).epsilon(0.02));
  CHECK(reached <
        0.98 * minimise(points, 3, 2, 1.5, {1e-3, 1, 1, 16, false}).evaluation->objective(1e-3));
}

TEST_CASE("samples without a positive model of their own are counted") {
  const Points points = random_points(40, 3, 2);
  const Problem problem = problem_of(points, 2, 2, 1);
  ModelMatrix w(4, 4);
  for (std::size_t r = 0; r < 2; ++r) w.row(r)[3] = -1;  // class 0: always negative
  for (std::size_t r = 2; r < 4; ++r) w.row(r)[3] = 1;   // class 1: always positive
  const PowerBall ball(1.5);
  CHECK(evaluate(problem, ball, w, plain_surroundings()).all_negative == 20);
  FloatMatrix own(40, 2);
  CHECK(own_weights(problem, ball, w, plain_surroundings(), own) == 20);
  CHECK(own.values[0] == 0);
  CHECK(own.values[2] > 0);
}

}  // namespace cccp_test
