// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include "localized/localized_svm.hpp"
#include "ml3_component_testing.hpp"
#include "unusable_data_testing.hpp"

namespace localized_mkl_test {

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

/// The combined kernel by its definition from the linear one.
FloatMatrix combined(const FloatMatrix& linear, const std::vector<double>& gates,
                     std::size_t kernels) {
  FloatMatrix kernel(linear.rows, linear.rows);
  for (std::size_t i = 0; i < linear.rows; ++i)
    for (std::size_t j = 0; j < linear.rows; ++j) {
      double sum = 0;
      for (std::size_t m = 0; m < kernels; ++m)
        sum += gates[i * kernels + m] * gates[j * kernels + m];
      kernel.values[i * linear.rows + j] =
          static_cast<float>(sum * double{linear.values[i * linear.rows + j]});
    }
  return kernel;
}

Gating random_start(std::size_t kernels, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Gating gating(kernels, cols);
  for (double& v : gating.values) v = random.normal();
  return gating;
}

const Parameters quick{{"kernels", std::int64_t{3}}, {"iterations", std::int64_t{5}}};

}  // namespace

TEST_CASE("gates are a softmax") {
  const Points points = random_points(20, 3, 2);
  const Gating gating = random_start(5, 3, 1);
  const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
  for (std::size_t i = 0; i < 20; ++i) {
    double raw[5], sum = 0;
    const auto x = points.values.view().row_span(i);
    for (std::size_t m = 0; m < 5; ++m)
      sum += raw[m] =
          std::exp(std::inner_product(x.begin(), x.end(), gating.row(m), gating.row(m)[3]));
    for (std::size_t m = 0; m < 5; ++m) CHECK(gates[5 * i + m] == doctest::Approx(raw[m] / sum));
  }
  // Far out, where exp alone would overflow.
  std::vector<double> eta{5000, 0};
  softmax(eta);
  CHECK(eta == std::vector<double>{1, 0});
}

TEST_CASE("kernel values and sums over them are those of the definition") {
  // More rows than a block; numbers of columns and kernels that do not fill a vector.
  for (const auto& [cols, kernels] :
       {std::pair<std::size_t, std::size_t>{3, 1}, {7, 6}, {21, 13}}) {
    const Points points = random_points(1100, cols, 2);
    const auto gates =
        gates_of(random_start(kernels, cols, 3), points.values.view(), plain_surroundings());
    const FloatMatrix wanted = combined(kernel_of(points), gates, kernels);
    LocalizedRows rows(points.values.view(), {}, kernels);
    rows.set_gates(gates);
    std::vector<std::uint32_t> some;
    std::vector<double> factors, sums(1100, 0.5), wanted_sums = sums;
    for (std::uint32_t i = 0; i < 1100; i += 97) {
      some.push_back(i);
      factors.push_back(std::sin(double(i)));
      for (std::size_t j = 0; j < 1100; ++j)
        wanted_sums[j] += factors.back() * double{wanted.values[i * 1100 + j]};
    }
    std::vector<float> values(some.size());
    for (const std::uint32_t i : some) {
      rows.values(i, some, values.data());
      for (std::size_t k = 0; k < some.size(); ++k)
        CHECK(double{values[k]} ==
              doctest::Approx(double{wanted.values[i * 1100 + some[k]]}).epsilon(1e-5));
    }
    TestContext one(1), three(3);
    std::vector<double> threaded = sums;
    rows.add(some, factors, threaded, three);
    rows.add(some, factors, sums, one);
    CHECK(sums == threaded);
    for (std::size_t j = 0; j < 1100; ++j) CHECK(std::abs(sums[j] - wanted_sums[j]) < 1e-4);
  }
}

TEST_CASE("the gradient is that of finite differences of the dual's maximum") {
  const Points points = random_points(60, 3, 2);
  const auto labels = signs(points);
  const FloatMatrix linear = kernel_of(points);
  const auto maximum = [&](const Gating& gating, std::vector<double>* coefficients) {
    const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
    const auto machine = plain_machine(combined(linear, gates, gating.kernels), labels, 2);
    if (coefficients) *coefficients = machine.coefficients;
    return -machine.dual;
  };
  Gating gating = random_start(3, 3, 2);
  std::vector<double> coefficients;
  maximum(gating, &coefficients);
  const auto gates = gates_of(gating, points.values.view(), plain_surroundings());
  const Gating gradient = dual_gradient(
      points.values.view(), gates,
      local_weights(points.values.view(), gates, 3, coefficients, plain_surroundings()),
      coefficients, plain_surroundings());
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
  const LocalizedSvm found =
      train_localized(points.values.view(), labels, Gating(5, 4), {1, tight, 0, 0}, context);
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

TEST_CASE("each step ends where one does whose SVMs all begin at zero, with the whole kernel") {
  const Points points = random_points(150, 4, 2);
  const auto labels = signs(points);
  const FloatMatrix linear = kernel_of(points);
  const std::size_t kernels = 3, steps = 8;
  const double cost = 5, sufficient = 1e-4;
  Gating gating = random_start(kernels, 4, 7);
  const Gating start = gating;
  const auto view = points.values.view();
  const Surroundings around = plain_surroundings();
  const auto machine = [&](const Gating& at) {
    return plain_machine(combined(linear, gates_of(at, view, around), kernels), labels, cost);
  };
  numerics::DualSolution best = machine(gating);
  std::vector<double> wanted{-best.dual};
  double step = 0;
  std::size_t trials = 1;
  while (wanted.size() <= steps) {
    const auto gates = gates_of(gating, view, around);
    const VectorColumns weights = local_weights(view, gates, kernels, best.coefficients, around);
    const Gating gradient = dual_gradient(view, gates, weights, best.coefficients, around);
    double square = 0;
    for (const double g : gradient.values) square += g * g;
    step = wanted.size() == 1 ? 0.1 * std::sqrt(double(gradient.values.size()) / square) : 2 * step;
    for (;; step /= 2) {
      Gating next = gating;
      for (std::size_t k = 0; k < next.values.size(); ++k)
        next.values[k] -= step * gradient.values[k];
      numerics::DualSolution there = machine(next);
      ++trials;
      if (-there.dual > wanted.back() - sufficient * step * square) continue;
      gating = next;
      best = there;
      wanted.push_back(-best.dual);
      break;
    }
  }
  TestContext context;
  const LocalizedSvm found = train_localized(view, labels, start, {cost, tight, steps, 0}, context);
  CHECK(found.machines == trials);
  REQUIRE(found.objectives.size() == wanted.size());
  for (std::size_t s = 0; s < wanted.size(); ++s)
    CHECK(found.objectives[s] == doctest::Approx(wanted[s]).epsilon(1e-5));
  CHECK(wanted.back() < 0.9 * wanted.front());
  for (std::size_t k = 0; k < gating.values.size(); ++k)
    CHECK(std::abs(found.gating.values[k] - gating.values[k]) < 1e-2);
}

TEST_CASE("steps lower J; XOR is solved with gates and not without") {
  const Data data = xor_data(400, 4), test = xor_data(1000, 5);
  double best = INFINITY, error = 1;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    TestContext context(1, seed);
    const auto trained =
        train("solver/localized_mkl", data, context, {{"kernels", std::int64_t{6}}, {"C", 10.0}});
    const Curve& curve = trained.report.curves.at("objective_by_step");
    for (std::size_t s = 1; s < curve.y.size(); ++s) CHECK(curve.y[s] < curve.y[s - 1]);
    const Curve& gains = trained.report.curves.at("convergence_by_gradient_step_on_the_gates");
    REQUIRE(gains.y.size() + 1 == curve.y.size());
    for (std::size_t s = 0; s < gains.y.size(); ++s)
      CHECK(gains.y[s] == doctest::Approx(1 - curve.y[s + 1] / curve.y[s]));
    CHECK(trained.report.curves.at("convergence_by_seconds_tolerance").y.back() == 1e-3);
    if (trained.report.numbers.at("objective") >= best) continue;
    best = trained.report.numbers.at("objective");
    error = error_rate(*trained.solver, test);
  }
  CHECK(error < 0.06);
  TestContext context;
  CHECK(error_rate(
            *train("solver/localized_mkl", data, context, {{"kernels", std::int64_t{1}}}).solver,
            test) > 0.25);
}

TEST_CASE("a saved model gives the same bits, threads and rows around do not matter") {
  for (const std::size_t classes : {2, 3}) {
    const Data data = clouds(200, 5, classes);
    TestContext one(1), three(3);
    const auto trained = train("solver/localized_mkl", data, one, quick);
    const FloatMatrix wanted = scores(*trained.solver, data);
    CHECK(scores(*train("solver/localized_mkl", data, three, quick).solver, data).values ==
          wanted.values);
    CHECK(error_rate(*trained.solver, data) < 0.35);
    MemoryState state;
    trained.solver->save(state);
    const auto loaded = make_component<Solver>("solver/localized_mkl");
    loaded->bind(Layout::vector(5));
    loaded->load(state, one);
    CHECK(loaded->bind(Layout::vector(5)) == Layout::vector(classes));
    CHECK(scores(*loaded, data).values == wanted.values);
    FloatMatrix shares(200, 3);
    loaded->assign(data.values.view(), data.labels, shares.view(), one);
    for (std::size_t i = 0; i < 200; ++i) {
      const auto row = std::as_const(shares).view().row_span(i);
      REQUIRE(std::accumulate(row.begin(), row.end(), 0.0) == doctest::Approx(1));
    }
  }
}

TEST_CASE("rows whose products float32 cannot hold are refused at once") {
  Data data = clouds(30, 3, 2);
  for (float& value : data.values.values) value *= 1e25F;
  CHECK(training_error("solver/localized_mkl", data)
            .starts_with("float32 cannot hold the products of rows whose squared length"));
}

TEST_CASE("a stop request leaves a model, what cannot be learned is named") {
  TestContext context;
  context.stop = StopReason::deadline;
  const Data data = clouds(300, 5, 3);
  const auto trained = train("solver/localized_mkl", data, context, quick);
  CHECK(trained.report.texts.at("certificate") == "deadline");
  for (const float score : scores(*trained.solver, data).values) CHECK(std::isfinite(score));

  CHECK(
      training_error("solver/localized_mkl", clouds(2000, 5, 2), {}, std::size_t{1} << 20) ==
      "training on 2000 rows needs 3 MiB, but may use only 1 MiB; train on fewer rows, or give it "
      "more --memory");
  check_unusable_training_data("solver/localized_mkl");

  const auto solver = make_component<Solver>("solver/localized_mkl");
  solver->bind(Layout::vector(4));
  FloatMatrix in(1, 4), out(1, 2);
  CHECK_THROWS_AS(solver->apply(in.view(), out.view(), context), Error);
  MemoryState state;
  state.integer("inputs", 4);
  state.integer("classes", 2);
  state.integer("kernels", 3);
  state.doubles("gates", std::vector<double>(15));
  state.doubles("weights", std::vector<double>(11));
  state.doubles("biases", std::vector<double>(1));
  CHECK_THROWS_AS(solver->load(state, context), Error);
}

}  // namespace localized_mkl_test
