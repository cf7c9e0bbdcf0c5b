// SPDX-License-Identifier: MIT
#include "descent/descent.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

#include "ml3_testing.hpp"

namespace descent_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

struct Iterates {
  Doubles last;
  Doubles average;
  std::size_t projections = 0;
  std::size_t updates = 0;
};

/// Algorithm 2 as printed, in double precision, one line after the other.
Iterates algorithm_2(const Problem& problem, const PowerBall& ball, const FloatMatrix& own,
                     const Doubles& start, double lambda, double s0) {
  Iterates it{start, Doubles(start.size(), std::vector<double>(start[0].size())), 0, 0};
  const std::size_t n = problem.rows.rows;
  const double radius = std::sqrt(2 * double(n) / lambda);
  for (std::size_t s = 1; s <= n; ++s) {
    const double eta = 1 / (lambda * (double(s) + s0));
    Doubles gradient = it.last;
    for (auto& row : gradient)
      for (double& g : row) g *= lambda;
    it.updates +=
        linearised_loss(problem, ball, it.last, own, s - 1, &gradient, problem.weight(s - 1)) > 0;
    for (std::size_t r = 0; r < gradient.size(); ++r)
      for (std::size_t k = 0; k < gradient[r].size(); ++k) it.last[r][k] -= eta * gradient[r][k];
    const double scale = std::min(1.0, radius / std::sqrt(squared_norm(it.last)));
    it.projections += scale < 1;
    for (std::size_t r = 0; r < gradient.size(); ++r)
      for (std::size_t k = 0; k < gradient[r].size(); ++k) {
        it.last[r][k] *= scale;
        it.average[r][k] = (double(s - 1) * it.average[r][k] + it.last[r][k]) / double(s);
      }
  }
  return it;
}

Iterates descend(const Problem& problem, const PowerBall& ball, const FloatMatrix& own,
                 const ModelMatrix& start, double lambda, double s0, std::size_t batch,
                 DescentOutcome* outcome = nullptr,
                 const Surroundings& surroundings = plain_surroundings()) {
  ModelMatrix w = floats(doubles(start)), average;
  LatentWeighting weighting(problem, ball, own);
  Descent descent(problem, {lambda, s0, std::sqrt(2 * double(problem.rows.rows) / lambda), batch},
                  weighting, w, &average, surroundings);
  REQUIRE(descent.run(in_order(problem.rows.rows)));
  const DescentOutcome result = descent.finish();
  if (outcome != nullptr) *outcome = result;
  return {doubles(w), doubles(average), result.projections, result.updates};
}

FloatMatrix weights_under(const Problem& problem, const PowerBall& ball, const ModelMatrix& w) {
  FloatMatrix own(problem.rows.rows, problem.models);
  own_weights(problem, ball, w, plain_surroundings(), own);
  return own;
}

void compare(const Iterates& got, const Iterates& wanted) {
  CHECK(distance(got.last, wanted.last) < 1e-4);
  CHECK(distance(got.average, wanted.average) < 1e-4);
  CHECK(got.projections == wanted.projections);
  CHECK(got.updates == wanted.updates);
}

}  // namespace

TEST_CASE("the descent is Algorithm 2, with any batch") {
  const Points points = random_points(150, 5, 4);
  for (const double p : {1.0, 1.5, 3.0}) {
    CAPTURE(p);
    const PowerBall ball(p);
    const Problem problem = problem_of(points, 4, 3);
    const ModelMatrix start = random_models(problem, 7);
    const FloatMatrix own = weights_under(problem, ball, start);
    const Iterates wanted = algorithm_2(problem, ball, own, doubles(start), 0.01, 300);
    CHECK(wanted.projections == 0);
    CHECK(wanted.updates > 20);
    for (const std::size_t batch : {1, 7, 32, 200}) {
      CAPTURE(batch);
      compare(descend(problem, ball, own, start, 0.01, 300, batch), wanted);
    }
  }
}

TEST_CASE("so it is where only what differs from a background is multiplied") {
  for (const double bias : {0.0, 1.0})
    for (const bool far : {false, true}) {
      CAPTURE(bias);
      CAPTURE(far);
      const Points points = points_on_background(150, 40, 4);
      const PowerBall ball(1.5);
      const Problem dense = problem_of(points, 4, 3, bias), problem = on_background(dense);
      REQUIRE(problem.listed != nullptr);
      const ModelMatrix start = random_models(problem, 7, 0.1);
      const FloatMatrix own = weights_under(problem, ball, start);
      const FloatMatrix expected_own = weights_under(dense, ball, start);
      for (std::size_t i = 0; i < own.values.size(); ++i)
        REQUIRE(own.values[i] == doctest::Approx(expected_own.values[i]).epsilon(1e-4));
      // Small steps, or steps so large that W is projected onto the ball and the scale multiplied
      // in.
      const double lambda = far ? 1e-6 : 0.01, s0 = far ? 1 : 300;
      const Iterates wanted = algorithm_2(dense, ball, own, doubles(start), lambda, s0);
      CHECK(wanted.updates > 20);
      CHECK((wanted.projections > 3) == far);
      for (const std::size_t batch : {1, 7, 32, 200}) {
        CAPTURE(batch);
        const Iterates got = descend(problem, ball, own, start, lambda, s0, batch);
        CHECK(distance(got.last, wanted.last) < 1e-4);
        CHECK(distance(got.average, wanted.average) < 1e-3);
        CHECK(got.projections == wanted.projections);
        CHECK(got.updates == wanted.updates);
      }
      const Evaluation all = evaluate(problem, ball, start, plain_surroundings());
      const Evaluation expected = evaluate(dense, ball, start, plain_surroundings());
      CHECK(all.losses == doctest::Approx(expected.losses).epsilon(1e-5));
      CHECK(all.errors == expected.errors);
    }
}

TEST_CASE("steps in parts are those in one go, wherever the parts end") {
  const Points points = random_points(3000, 5, 3);
  const PowerBall ball(1.5);
  const Problem problem = problem_of(points, 3, 2);
  const Surroundings surroundings = plain_surroundings();
  const ModelMatrix start = random_models(problem, 7);
  const FloatMatrix own = weights_under(problem, ball, start);
  std::vector<std::uint32_t> order = in_order(3000);
  const auto descend_in_parts = [&](std::size_t part) {
    LatentWeighting weighting(problem, ball, own);
    ModelMatrix w = floats(doubles(start)), average;
    Descent descent(problem, {0.01, 300, 1e3, 64}, weighting, w, &average, surroundings);
    // Another order may follow after the end of the first.
    for (std::size_t epoch = 0; epoch < 2; ++epoch) {
      std::ranges::sort(order);
      if (epoch == 1) std::ranges::reverse(order);
      for (std::size_t next = 0; next < order.size();) {
        const std::size_t end = std::min(next + part, order.size());
        next = descent.run(order, next, end);
        CHECK((next >= end && next < end + 64));
        CHECK((next % 64 == 0 || next == order.size()));
      }
    }
    CHECK(descent.finish().steps == 6000);
    return std::pair(doubles(w), doubles(average));
  };
  const auto expected = descend_in_parts(3000);
  for (const std::size_t part : {1, 64, 1000, 1024, 2050})
    CHECK(descend_in_parts(part) == expected);
}

TEST_CASE("whichever task comes first, the bits are the same") {
  /// Runs tasks one after the other, the last first.
  class Backwards : public semblance::testing::TestContext {
   public:
    void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) override {
      while (count > 0) body(--count);
    }
  };
  Backwards context;
  const PowerBall ball(1.5);
  // Pieces of many batches, of one, and of one whose products tasks share.
  for (const auto& [cols, models] : {std::pair(5, 2), std::pair(5000, 1), std::pair(5000, 3)}) {
    const Points points = random_points(500, static_cast<std::size_t>(cols), 3);
    const Problem problem = problem_of(points, 3, static_cast<std::size_t>(models));
    const ModelMatrix start = random_models(problem, 7);
    const FloatMatrix own = weights_under(problem, ball, start);
    const Iterates forwards = descend(problem, ball, own, start, 0.01, 300, 64);
    const Iterates backwards =
        descend(problem, ball, own, start, 0.01, 300, 64, nullptr, {context});
    CHECK(forwards.updates > 20);
    CHECK(forwards.last == backwards.last);
    CHECK(forwards.average == backwards.average);
  }
}

TEST_CASE("a row's weight multiplies its loss, with any batch") {
  const Points points = random_points(150, 5, 4);
  const PowerBall ball(1.5);
  Problem problem = problem_of(points, 4, 3);
  std::vector<double> weights;
  for (std::size_t i = 0; i < 150; ++i) weights.push_back(0.1 + double(i % 7) / 2);
  problem.weights = weights;
  const ModelMatrix start = random_models(problem, 7);
  const FloatMatrix own = weights_under(problem, ball, start);
  const Iterates wanted = algorithm_2(problem, ball, own, doubles(start), 0.01, 300);
  for (const std::size_t batch : {1, 32})
    compare(descend(problem, ball, own, start, 0.01, 300, batch), wanted);
  Problem plain = problem_of(points, 4, 3);
  CHECK(distance(algorithm_2(plain, ball, own, doubles(start), 0.01, 300).last, wanted.last) >
        1e-2);
}

TEST_CASE("the projection is that of every single step") {
  const Points points = random_points(60, 4, 3);
  const PowerBall ball(1.5);
  const Problem problem = problem_of(points, 3, 2);
  const ModelMatrix start = random_models(problem, 8, 4);
  const FloatMatrix own = weights_under(problem, ball, start);
  const Iterates wanted = algorithm_2(problem, ball, own, doubles(start), 3, 5);
  CHECK(wanted.projections > 0);
  for (const std::size_t batch : {1, 16})
    compare(descend(problem, ball, own, start, 3, 5, batch), wanted);
}

TEST_CASE("steps far larger than the ball are survived") {
  const Points points = random_points(40, 4, 3);
  const PowerBall ball(2);
  const Problem problem = problem_of(points, 3, 2);
  const ModelMatrix start = random_models(problem, 9);
  const FloatMatrix own = weights_under(problem, ball, start);
  // The scale shrinks by orders of magnitude per step.
  for (const double lambda : {1e-6, 1e-12}) {
    const Iterates wanted = algorithm_2(problem, ball, own, doubles(start), lambda, 1);
    CHECK(wanted.projections > 3);
    const Iterates got = descend(problem, ball, own, start, lambda, 1, 32);
    CHECK(distance(got.last, wanted.last) < 1e-4);
    CHECK(got.projections == wanted.projections);
    if (lambda == 1e-6) CHECK(distance(got.average, wanted.average) < 1e-3);
  }
}

TEST_CASE("a step follows the gradient of the loss") {
  const Points points = random_points(1, 4, 1, 5);
  Points one{points.values, {2}};
  for (const double p : {1.2, 1.5, 2.0, 10.0}) {
    CAPTURE(p);
    const PowerBall ball(p);
    const Problem problem = problem_of(one, 3, 3);
    const ModelMatrix start = random_models(problem, 10);
    const FloatMatrix own = weights_under(problem, ball, start);
    const double lambda = 0.1, s0 = 4, eta = 1 / (lambda * (1 + s0));
    const Doubles before = doubles(start);
    const Doubles after = descend(problem, ball, own, start, lambda, s0, 1).last;
    for (std::size_t r = 0; r < before.size(); ++r)
      for (std::size_t k = 0; k < before[r].size(); ++k) {
        constexpr double h = 1e-2;
        Doubles up = before, down = before;
        up[r][k] += h;
        down[r][k] -= h;
        const double slope = (linearised_loss(problem, ball, up, own, 0, nullptr, 0) -
                              linearised_loss(problem, ball, down, own, 0, nullptr, 0)) /
                             (2 * h);
        const double step = (before[r][k] - after[r][k]) / eta - lambda * before[r][k];
        CHECK(step == doctest::Approx(slope).epsilon(0.02).scale(0.1));
      }
  }
}

TEST_CASE("the running figures are those of the model before each step") {
  const Points points = random_points(50, 5, 3);
  const PowerBall ball(1.5);
  const Problem problem = problem_of(points, 3, 2);
  const ModelMatrix start = random_models(problem, 12);
  const FloatMatrix own = weights_under(problem, ball, start);
  // A step so small that the model does not change.
  DescentOutcome outcome;
  descend(problem, ball, own, start, 1, 1e9, 8, &outcome);
  const Evaluation exact = evaluate(problem, ball, start, plain_surroundings());
  CHECK(outcome.steps == 50);
  CHECK(outcome.losses / 50 == doctest::Approx(exact.losses).epsilon(1e-4));
  CHECK(outcome.errors == exact.errors);
}

TEST_CASE("random weights are the same at every visit") {
  const Points points = random_points(20, 3, 3);
  const Problem problem = problem_of(points, 3, 4);
  const PowerBall ball(1.5);
  const Surroundings surroundings = plain_surroundings();
  constexpr RandomWeights mixture = RandomWeights::mixture;
  RandomWeighting weighting(problem, ball, mixture, 5, surroundings),
      other(problem, ball, mixture, 6, surroundings);
  const std::vector<std::uint32_t> first{3, 9, 4}, second{9};
  const auto label = static_cast<std::size_t>(points.labels[9]);
  std::vector<float> z(problem.model_rows(), 1), a(4), b(4), c(4), rival(4);
  weighting.prepare(first);
  const Judgement judged = weighting.judge({9, 1, label, {}}, z);
  CHECK(judged.rival != label);
  weighting.weigh({9, 1, label, {}}, z, judged.rival, a, rival);
  weighting.prepare(second);
  weighting.weigh({9, 0, label, {}}, z, judged.rival, b, rival);
  other.prepare(second);
  other.weigh({9, 0, label, {}}, z, judged.rival, c, rival);
  CHECK(a == b);
  CHECK(a != c);
}

TEST_CASE("a sample may start with one model of each class alone") {
  const Points points = random_points(400, 3, 2);
  const Problem problem = problem_of(points, 2, 4);
  const PowerBall ball(1.5);
  const Surroundings surroundings = plain_surroundings();
  RandomWeighting weighting(problem, ball, RandomWeights::one_model, 5, surroundings);
  const std::vector<std::uint32_t> samples = in_order(400);
  weighting.prepare(samples);
  std::vector<float> z(problem.model_rows(), 1), own(4), rival(4), times(4);
  for (std::size_t i = 0; i < 400; ++i) {
    const auto label = static_cast<std::size_t>(points.labels[i]);
    weighting.weigh({samples[i], i, label, {}}, z, 1 - label, own, rival);
    for (const auto* weights : {&own, &rival}) {
      CHECK(std::count(weights->begin(), weights->end(), 1.0F) == 1);
      CHECK(std::count(weights->begin(), weights->end(), 0.0F) == 3);
    }
    for (std::size_t j = 0; j < 4; ++j) times[j] += own[j];
  }
  for (const float count : times) CHECK(count > 60);  // each about a hundred times
}

}  // namespace descent_test
