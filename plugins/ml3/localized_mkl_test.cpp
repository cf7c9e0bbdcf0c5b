// SPDX-License-Identifier: MIT
#include "localized_mkl.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "ml3_component_testing.hpp"
#include "semblance_numerics/dual_problem.hpp"
#include "unusable_data_testing.hpp"

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

constexpr double tight = 1e-7;

std::vector<signed char> signs(const Points& points) {
  std::vector<signed char> labels;
  for (const std::int32_t label : points.labels)
    labels.push_back(static_cast<signed char>(label == 1 ? 1 : -1));
  return labels;
}

FloatMatrix kernel_of(const Points& points, double factor = 1) {
  FloatMatrix kernel(points.values.rows, points.values.rows);
  for (std::size_t i = 0; i < kernel.rows; ++i)
    for (std::size_t j = 0; j < kernel.rows; ++j) {
      const auto x = points.values.view().row_span(i), y = points.values.view().row_span(j);
      kernel.values[i * kernel.rows + j] =
          static_cast<float>(factor * std::inner_product(x.begin(), x.end(), y.begin(), 0.0));
    }
  return kernel;
}

numerics::DualSolution plain_machine(const FloatMatrix& kernel,
                                     const std::vector<signed char>& labels, double cost) {
  TestContext context;
  const numerics::MatrixSource source(kernel.view());
  numerics::RowCache cache(source, {0, kernel.rows}, {0, kernel.rows}, 0);
  numerics::DualProblem problem;
  problem.parts = {{0, kernel.rows}};
  problem.rows[0][0] = &cache;
  problem.labels = labels;
  problem.costs.assign(kernel.rows, cost);
  return numerics::solve(problem, {tight, 10'000'000, 512}, context);
}

Gating random_start(std::size_t kernels, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Gating gating(kernels, cols);
  for (double& v : gating.values) v = random.normal();
  return gating;
}

const Parameters quick{{"kernels", std::int64_t{3}}, {"iterations", std::int64_t{5}}};

}  // namespace

TEST_CASE("gates are a softmax, the combined kernel is its definition") {
  const Points points = random_points(20, 3, 2);
  const Gating gating = random_start(4, 3, 1);
  const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
  const FloatMatrix linear = kernel_of(points);
  FloatMatrix combined(20, 20);
  combine(linear.view(), gates, 4, combined.view(), plain_surroundings());
  for (std::size_t i = 0; i < 20; ++i) {
    double raw[4], sum = 0;
    for (std::size_t m = 0; m < 4; ++m) {
      const auto x = points.values.view().row_span(i);
      sum += raw[m] =
          std::exp(std::inner_product(x.begin(), x.end(), gating.row(m), gating.row(m)[3]));
    }
    for (std::size_t m = 0; m < 4; ++m) CHECK(gates[4 * i + m] == doctest::Approx(raw[m] / sum));
    for (std::size_t j = 0; j < 20; ++j) {
      double value = 0;
      for (std::size_t m = 0; m < 4; ++m)
        value += gates[4 * i + m] * gates[4 * j + m] * double{linear.values[20 * i + j]};
      CHECK(double{combined.values[20 * i + j]} == doctest::Approx(value).epsilon(1e-6));
    }
  }
  // Far out, where exp alone would overflow.
  Gating steep(2, 1);
  steep.values = {5000, 0, 0, 0};
  std::vector<double> eta(2);
  steep.weigh(std::vector<float>{1}, eta);
  CHECK(eta == std::vector<double>{1, 0});
}

TEST_CASE("the gradient is that of finite differences of the dual's maximum") {
  const Points points = random_points(60, 3, 2);
  const auto labels = signs(points);
  const FloatMatrix linear = kernel_of(points);
  const auto maximum = [&](const Gating& gating, std::vector<double>* coefficients) {
    const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
    FloatMatrix combined(60, 60);
    combine(linear.view(), gates, gating.kernels, combined.view(), plain_surroundings());
    const auto machine = plain_machine(combined, labels, 2);
    if (coefficients) *coefficients = machine.coefficients;
    return -machine.dual;
  };
  Gating gating = random_start(3, 3, 2);
  std::vector<double> coefficients;
  maximum(gating, &coefficients);
  const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
  const Gating gradient = dual_gradient(points.values.view(), gates, 3, coefficients);
  double norm = 0;
  for (const double g : gradient.values) norm += g * g;
  REQUIRE(norm > 1e-2);
  for (std::size_t k = 0; k < gradient.values.size(); ++k) {
    const double h = 1e-3, here = gating.values[k];
    gating.values[k] = here + h;
    const double above = maximum(gating, nullptr);
    gating.values[k] = here - h;
    const double below = maximum(gating, nullptr);
    gating.values[k] = here;
    CHECK(std::abs((above - below) / (2 * h) - gradient.values[k]) < 5e-3 * std::sqrt(norm));
  }
}

TEST_CASE("with equal gates it is the plain SVM on the mean kernel") {
  const Points points = random_points(80, 4, 2);
  const auto labels = signs(points);
  const FloatMatrix linear = kernel_of(points);
  TestContext context;
  const LocalizedSvm found = train_localized(points.values.view(), labels, linear.view(),
                                             Gating(5, 4), {1, tight, 0, 0}, context);
  // sum over m of 1/5 k 1/5: a fifth of the linear kernel.
  const auto plain = plain_machine(kernel_of(points, 0.2), labels, 1);
  CHECK(found.objectives.at(0) == doctest::Approx(-plain.dual).epsilon(1e-5));
  CHECK(found.bias == doctest::Approx(plain.bias).epsilon(1e-3));
  for (std::size_t i = 0; i < 80; ++i) {
    const auto x = points.values.view().row_span(i);
    double value = found.bias, wanted = plain.bias;
    for (std::size_t m = 0; m < 5; ++m)
      value += 0.2 * std::inner_product(x.begin(), x.end(), found.weights.data() + 4 * m, 0.0);
    for (std::size_t j = 0; j < 80; ++j)
      wanted += 0.2 * plain.coefficients[j] * double{linear.values[80 * i + j]};
    CHECK(value == doctest::Approx(wanted).epsilon(1e-3));
  }
}

TEST_CASE("steps lower J; XOR is solved with gates and not without") {
  const Data data = xor_data(400, 4), test = xor_data(1000, 5);
  double best = INFINITY, error = 1;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    TestContext context(1, seed);
    const auto trained =
        train<LocalizedMkl>(data, context, {{"kernels", std::int64_t{6}}, {"C", 10.0}});
    const Curve& curve = trained.report.curves.at("objective_by_step");
    for (std::size_t s = 1; s < curve.y.size(); ++s) CHECK(curve.y[s] < curve.y[s - 1]);
    if (trained.report.numbers.at("objective") >= best) continue;
    best = trained.report.numbers.at("objective");
    error = error_rate(trained.solver, test);
  }
  CHECK(error < 0.06);
  TestContext context;
  CHECK(error_rate(train<LocalizedMkl>(data, context, {{"kernels", std::int64_t{1}}}).solver,
                   test) > 0.25);
}

TEST_CASE("a saved model gives the same bits, threads and rows around do not matter") {
  for (const std::size_t classes : {2, 3}) {
    const Data data = clouds(200, 5, classes);
    TestContext one(1), three(3);
    const auto trained = train<LocalizedMkl>(data, one, quick);
    const FloatMatrix wanted = scores(trained.solver, data);
    CHECK(scores(train<LocalizedMkl>(data, three, quick).solver, data).values == wanted.values);
    CHECK(error_rate(trained.solver, data) < 0.35);
    MemoryState state;
    trained.solver.save(state);
    LocalizedMkl loaded;
    loaded.bind(Layout::vector(5));
    loaded.load(state, one);
    CHECK(loaded.bind(Layout::vector(5)) == Layout::vector(classes));
    CHECK(scores(loaded, data).values == wanted.values);
    FloatMatrix shares(200, 3);
    loaded.assign(data.values.view(), data.labels, shares.view(), one);
    for (std::size_t i = 0; i < 200; ++i) {
      const auto row = std::as_const(shares).view().row_span(i);
      REQUIRE(std::accumulate(row.begin(), row.end(), 0.0) == doctest::Approx(1));
    }
  }
}

TEST_CASE("a stop request leaves a model, what cannot be learned is named") {
  TestContext context;
  context.stop = StopReason::deadline;
  const Data data = clouds(300, 5, 3);
  const auto trained = train<LocalizedMkl>(data, context, quick);
  CHECK(trained.report.texts.at("certificate") == "deadline");
  for (const float score : scores(trained.solver, data).values) CHECK(std::isfinite(score));

  CHECK(training_error<LocalizedMkl>(clouds(2000, 5, 2), {}, std::size_t{16} << 20)
            .find("the kernels between 2000 training rows need") == 0);
  check_unusable_training_data<LocalizedMkl>();

  LocalizedMkl solver;
  solver.bind(Layout::vector(4));
  FloatMatrix in(1, 4), out(1, 2);
  CHECK_THROWS_AS(solver.apply(in.view(), out.view(), context), Error);
  MemoryState state;
  state.integer("inputs", 4);
  state.integer("classes", 2);
  state.integer("kernels", 3);
  state.doubles("gates", std::vector<double>(15));
  state.doubles("weights", std::vector<double>(11));
  state.doubles("biases", std::vector<double>(1));
  CHECK_THROWS_AS(solver.load(state, context), Error);
}
