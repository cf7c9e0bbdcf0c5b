// SPDX-License-Identifier: MIT
#include "latent/power_ball.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "semblance/error.hpp"

namespace power_ball_test {

using semblance::Random;
using semblance::ml3::ComparedScores;
using semblance::ml3::PowerBall;

namespace {

constexpr double exponents[] = {1, 1.2, 1.25, 4.0 / 3, 1.5, 1.7, 2, 10, 1000};

double norm(std::span<const float> x, double p) {
  double most = 0, sum = 0;
  for (const float v : x) most = std::max(most, double{v});
  if (most == 0) return 0;
  for (const float v : x) sum += std::pow(double{v} / most, p);
  return most * std::pow(sum, 1 / p);
}

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += double{a[j]} * double{b[j]};
  return sum;
}

std::vector<float> normal(std::size_t size, Random& random, double scale = 1) {
  std::vector<float> x(size);
  for (float& v : x) v = static_cast<float>(scale * random.normal());
  return x;
}

/// The largest product with a point of a fine grid on the ball's surface.
double largest_on_grid(std::span<const float> c, double p) {
  constexpr int steps = 400;
  double most = 0;
  for (int a = 0; a <= steps; ++a)
    for (int b = 0; b <= steps; ++b) {
      const double s = std::numbers::pi / 2 * a / steps, t = std::numbers::pi / 2 * b / steps;
      const std::array<float, 3> point{static_cast<float>(std::max(0.0, std::cos(s) * std::cos(t))),
                                       static_cast<float>(std::max(0.0, std::sin(s) * std::cos(t))),
                                       static_cast<float>(std::sin(t))};
      most = std::max(most, dot(point, c) / norm(point, p));
    }
  return most;
}

}  // namespace

TEST_CASE("the weights lie in the ball and no point of the ball scores more") {
  Random random(3);
  for (const double p : exponents) {
    CAPTURE(p);
    const PowerBall ball(p);
    for (int i = 0; i < 5; ++i) {
      const auto c = normal(3, random);
      std::array<float, 3> beta;
      const double score = double{ball.weights(c, beta)};
      for (const float b : beta) REQUIRE(b >= 0);
      CHECK(norm(beta, p) <= 1 + 1e-5);
      CHECK(dot(beta, c) == doctest::Approx(score).epsilon(1e-5));
      const double brute = largest_on_grid(c, p);
      CHECK(brute <= score * (1 + 1e-5));
      CHECK(brute >= score * 0.99);
    }
  }
}

TEST_CASE("the score is that of the explicit weights, eq. (16)") {
  Random random(4);
  for (const double p : exponents)
    for (const std::size_t size : {1, 2, 7, 8, 9, 90}) {
      CAPTURE(p);
      const PowerBall ball(p);
      const auto c = normal(size, random, 10);
      std::vector<float> beta(size);
      const float score = ball.weights(c, beta);
      CHECK(ball.score(c) == score);
      CHECK(dot(beta, c) == doctest::Approx(double{score}).epsilon(1e-5));
    }
}

TEST_CASE("nothing positive scores 0 and has no weights") {
  const std::vector<float> c{-1, -2, 0};
  for (const double p : exponents) {
    std::vector<float> beta{1, 1, 1};
    CHECK(PowerBall(p).score(c) == 0);
    CHECK(PowerBall(p).weights(c, beta) == 0);
    CHECK(beta == std::vector<float>{0, 0, 0});
  }
}

TEST_CASE("p = 1 takes the first of the largest values, and its neighbours come close") {
  const std::vector<float> c{-3, 2, 5, 5, 1};
  std::vector<float> beta(5);
  CHECK(PowerBall(1).weights(c, beta) == 5);
  CHECK(beta == std::vector<float>{0, 0, 1, 0, 0});
  CHECK(PowerBall(1.0001).score(c) == doctest::Approx(5).epsilon(1e-3));
}

TEST_CASE("values of any size neither overflow nor vanish") {
  for (const double p : {1.0, 1.001, 1.05, 1.5, 2.0, 3.0, 1000.0})
    for (const float scale : {1e-36f, 1e-20f, 1e20f, 1e36f}) {
      CAPTURE(p);
      CAPTURE(scale);
      const std::vector<float> unit{1, -1, 0.5f, 0.25f}, c{scale, -scale, scale / 2, scale / 4};
      const PowerBall ball(p);
      CHECK(double{ball.score(c)} / double{scale} ==
            doctest::Approx(double{ball.score(unit)}).epsilon(1e-5));
      std::vector<float> beta(4);
      ball.weights(c, beta);
      CHECK(norm(beta, p) == doctest::Approx(1).epsilon(1e-4));
    }
}

TEST_CASE("random weights lie on the surface and differ") {
  Random random(5);
  for (const double p : exponents) {
    const PowerBall ball(p);
    std::vector<float> a(20), b(20), one(1);
    ball.draw(random, a);
    ball.draw(random, b);
    ball.draw(random, one);
    CHECK(norm(a, p) == doctest::Approx(1).epsilon(1e-5));
    CHECK(a != b);
    CHECK(one[0] == 1);
  }
}

TEST_CASE("p below 1 is refused") {
  CHECK_THROWS_AS(PowerBall(0.5), semblance::Error);
  CHECK_THROWS_AS(PowerBall(std::nan("")), semblance::Error);
}

TEST_CASE("a class whose sum shows that it scores less does") {
  Random random(12);
  for (const double p : exponents)
    for (const std::size_t models : {1U, 7U, 8U, 90U})
      for (const double scale : {1e-30, 1e-3, 1.0, 1e6}) {
        CAPTURE(p);
        CAPTURE(models);
        CAPTURE(scale);
        const PowerBall ball(p);
        const std::vector<float> z = normal(3 * models, random, scale);
        ComparedScores compared;
        ball.compare(z, models, compared);
        for (std::size_t i = 0; i < 3; ++i) {
          const double score{ball.score(std::span(z).subspan(i * models, models))};
          const double sum{compared.sums[i]};
          CHECK_FALSE(sum < ball.least_sum(compared, score));
          CHECK_FALSE(sum < ball.least_sum(compared, score * 0.5));
          // If q = p / (p - 1) is an integer or infinite, few cases remain in doubt.
          const bool exact = p == 1 || p == 1.2 || p == 1.25 || p == 1.5 || p == 2;
          if (exact && score > 0.01 * double{compared.most})
            CHECK(sum < ball.least_sum(compared, score * 1.01));
        }
      }
}

}  // namespace power_ball_test
