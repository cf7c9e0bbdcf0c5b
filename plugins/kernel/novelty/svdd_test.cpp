// SPDX-License-Identifier: MIT
// Compares the ball with known ones, with the one-class machine, and with a plain minimization.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "function_testing.hpp"
#include "semblance/novelty_detector.hpp"

namespace svdd_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

std::unique_ptr<NoveltyDetector> novelty(const char* id, const NamedKernel& kernel,
                                         const Parameters& parameters) {
  return machine_of<NoveltyDetector>(id, kernel.id, parameters, kernel.parameters);
}

Sampled cloud_about(double centre, std::size_t rows, std::size_t cols) {
  Random random(4);
  Sampled data{FloatMatrix(rows, cols)};
  for (float& x : data.values.values) x = static_cast<float>(centre + random.normal());
  return data;
}

Sampled points(std::initializer_list<std::pair<float, float>> given) {
  Sampled data{FloatMatrix(given.size(), 2)};
  std::size_t i = 0;
  for (const auto& [x, y] : given) {
    data.values.values[2 * i] = x;
    data.values.values[2 * i++ + 1] = y;
  }
  return data;
}

/// min a'Ka - sum a_i K_ii with sum a = 1 and 0 <= a_i <= bounds_i, by steps of all pairs until
/// none moves.
struct PlainBall {
  std::vector<double> a;
  double objective = 0, squared_radius = 0, squared_centre = 0;
};

PlainBall plain_ball(const std::vector<std::vector<double>>& k, const std::vector<double>& bounds) {
  const std::size_t n = k.size();
  PlainBall ball{std::vector<double>(n)};
  double left = 1;
  for (std::size_t i = 0; i < n; ++i) left -= ball.a[i] = std::min(left, bounds[i]);
  const auto gradient = [&](std::size_t i) {
    double sum = -k[i][i] / 2;
    for (std::size_t j = 0; j < n; ++j) sum += k[i][j] * ball.a[j];
    return sum;
  };
  double largest = 1;
  for (int sweep = 0; sweep < 3000 && largest > 1e-13; ++sweep) {
    largest = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const double curvature = std::max(k[i][i] + k[j][j] - 2 * k[i][j], 1e-12);
        const double step = std::clamp((gradient(j) - gradient(i)) / curvature,
                                       std::max(-ball.a[i], ball.a[j] - bounds[j]),
                                       std::min(bounds[i] - ball.a[i], ball.a[j]));
        ball.a[i] += step;
        ball.a[j] -= step;
        largest = std::max(largest, std::abs(step));
      }
  }
  double nearest = 0, farthest = HUGE_VAL;
  std::size_t free = 0;
  double of_free = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) ball.squared_centre += ball.a[i] * ball.a[j] * k[i][j];
  for (std::size_t i = 0; i < n; ++i) {
    const double distance = ball.squared_centre - 2 * gradient(i);
    ball.objective -= ball.a[i] * k[i][i];
    if (ball.a[i] > 1e-9 && ball.a[i] < bounds[i] - 1e-9) {
      of_free += distance;
      ++free;
    }
    if (ball.a[i] <= 1e-9) nearest = std::max(nearest, distance);
    if (ball.a[i] >= bounds[i] - 1e-9) farthest = std::min(farthest, distance);
  }
  ball.objective += ball.squared_centre;
  ball.squared_radius = free > 0 ? of_free / static_cast<double>(free) : (nearest + farthest) / 2;
  return ball;
}

}  // namespace

TEST_CASE("the smallest ball around a few points is known") {
  TestContext context;
  const NamedKernel linear = named_kernels()[1];
  const auto ball = [&](const Sampled& data) {
    auto machine = novelty("solver/svdd", linear, {{"nu", 1e-6}, {"tolerance", 1e-7}});
    CHECK(train(*machine, data, context).texts.at("certificate") == "converged");
    return machine;
  };
  // A square of side 2 about (11, 21): R^2 = 2. The point inside is no support vector.
  const Sampled square = points({{10, 20}, {12, 20}, {12, 22}, {10, 22}, {11.5F, 21}});
  const auto around = ball(square);
  const std::vector<float> scores = outputs(*around, points({{11, 21}, {10, 20}, {13, 21}}).values);
  CHECK(scores[0] == doctest::Approx(2).epsilon(1e-4));
  CHECK(std::abs(scores[1]) < 2e-3);
  CHECK(scores[2] == doctest::Approx(-2).epsilon(1e-3));
  // Two points: the ball has their distance as its diameter.
  const auto between = ball(points({{-1, 0}, {3, 0}}));
  CHECK(outputs(*between, points({{1, 0}}).values)[0] == doctest::Approx(4).epsilon(1e-5));
  const auto single = ball(points({{5, 5}}));
  CHECK(outputs(*single, points({{5, 5}}).values)[0] == doctest::Approx(0));
  CHECK(outputs(*single, points({{5, 7}}).values)[0] == doctest::Approx(-4));
}

TEST_CASE("with a constant k(x, x) the ball is the one-class machine") {
  const Sampled data = cloud_about(0, 250, 3);
  TestContext context;
  for (const double nu : {0.05, 0.3}) {
    const Parameters parameters = {{"nu", nu}, {"tolerance", 1e-6}};
    const auto ball = novelty("solver/svdd", named_kernels()[0], parameters);
    const auto plane = novelty("solver/one_class_svm", named_kernels()[0], parameters);
    const MemoryReport a = train(*ball, data, context), b = train(*plane, data, context);
    const double s = nu * 250;
    CHECK(a.numbers.at("objective") ==
          doctest::Approx(2 * b.numbers.at("objective") / (s * s) - 1).epsilon(1e-6));
    const std::vector<float> found = outputs(*ball, data.values),
                             other = outputs(*plane, data.values);
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(found[i] == doctest::Approx(2 * other[i] / s).epsilon(1e-4).scale(1e-2));
  }
}

TEST_CASE("the ball is that of a plain minimization, with weights as repetitions") {
  TestContext context;
  for (const NamedKernel& kernel : named_kernels())
    for (const double nu : {0.1, 0.45})
      for (const double centre : {0.0, 3.0})
        for (const bool weighted : {false, true}) {
          INFO(std::string(kernel.id));
          CAPTURE(nu);
          CAPTURE(centre);
          Sampled data = cloud_about(centre, 40, 2);
          std::vector<double> weights(40, 1);
          if (weighted)
            for (std::size_t i = 0; i < 40; ++i) weights[i] = static_cast<double>(i % 3);
          if (weighted) data.weights = weights;
          double total = 0, scale = 0;
          for (const double w : weights) total += w;
          std::vector<std::vector<double>> k(40, std::vector<double>(40));
          for (std::size_t i = 0; i < 40; ++i)
            for (std::size_t j = 0; j < 40; ++j)
              k[i][j] = kernel_value(kernel.plain, data.values, i, data.values, j);
          for (std::size_t i = 0; i < 40; ++i) scale += weights[i] * k[i][i] / total;
          std::vector<double> bounds = weights;
          for (double& bound : bounds) bound /= nu * total;
          const PlainBall expected = plain_ball(k, bounds);
          const auto machine = novelty("solver/svdd", kernel, {{"nu", nu}, {"tolerance", 1e-6}});
          const MemoryReport report = train(*machine, data, context);
          CHECK(report.texts.at("certificate") == "converged");
          CHECK(std::abs(report.numbers.at("objective") - expected.objective) < 2e-6 * scale);
          const std::vector<float> found = outputs(*machine, data.values);
          for (std::size_t i = 0; i < 40; ++i) {
            double distance = k[i][i] + expected.squared_centre;
            for (std::size_t j = 0; j < 40; ++j) distance -= 2 * expected.a[j] * k[i][j];
            REQUIRE(std::abs(found[i] - (expected.squared_radius - distance)) < 1e-4 * scale);
          }
        }
}

TEST_CASE("equal rows are within their ball, and other rows are not") {
  TestContext context;
  for (const float value : {2.0F, 0.1F, 1e5F}) {
    Sampled data{FloatMatrix(3, 1)};
    std::ranges::fill(data.values.values, value);
    const auto machine = novelty("solver/svdd", named_kernels()[1], {{"nu", 0.05}});
    train(*machine, data, context);
    CHECK(std::ranges::all_of(outputs(*machine, data.values), [](float s) { return s >= 0; }));
    std::ranges::fill(data.values.values, value * 1.5F);
    CHECK(std::ranges::all_of(outputs(*machine, data.values), [](float s) { return s < 0; }));
  }
}

TEST_CASE("a ball needs a kernel that compares a sample with itself") {
  TestContext context;
  Sampled data = cloud_about(0, 30, 30);
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j) data.values.values[i * 30 + j] = i == j ? 2 : 0.5F;
  const auto machine = novelty("solver/svdd", {"similarity/precomputed", {}, {}}, {});
  std::string text;
  try {
    train(*machine, data, context);
    outputs(*machine, data.values);
  } catch (const Error& problem) {
    text = problem.what();
  }
  CHECK(text.find("use solver/one_class_svm") != std::string::npos);
}

TEST_CASE("a ball of inner products moves with the rows") {
  TestContext context;
  const NamedKernel linear = named_kernels()[1];
  const Sampled near = cloud_about(0, 150, 3);
  const auto expected = novelty("solver/svdd", linear, {{"nu", 0.2}, {"tolerance", 1e-6}});
  const double objective = train(*expected, near, context).numbers.at("objective");
  const std::vector<float> scores = outputs(*expected, near.values);
  for (const float shift : {30.0F, 3000.0F, 1e5F}) {
    INFO(shift);
    Sampled far = near, back = near;
    for (std::size_t k = 0; k < far.values.values.size(); ++k) {
      far.values.values[k] += shift;
      back.values.values[k] = far.values.values[k] - shift;
    }
    const auto rounded = novelty("solver/svdd", linear, {{"nu", 0.2}, {"tolerance", 1e-6}});
    const double of_rounded = train(*rounded, back, context).numbers.at("objective");
    const auto machine = novelty("solver/svdd", linear, {{"nu", 0.2}, {"tolerance", 1e-6}});
    const MemoryReport report = train(*machine, far, context);
    CHECK(report.texts.at("certificate") == "converged");
    CHECK(report.numbers.at("objective") == doctest::Approx(of_rounded).epsilon(1e-5));
    CHECK(report.numbers.at("objective") == doctest::Approx(objective).epsilon(2e-2));
    const std::vector<float> found = outputs(*machine, far.values);
    const std::vector<float> other = outputs(*rounded, back.values);
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(found[i] == doctest::Approx(other[i]).epsilon(1e-3).scale(1));
    MemoryState state;
    machine->save(state);
    const auto loaded = novelty("solver/svdd", linear, {});
    loaded->bind(Layout::vector(3));
    loaded->load(state, context);
    CHECK(outputs(*loaded, far.values) == found);
  }
}

}  // namespace svdd_test
