// SPDX-License-Identifier: MIT
#include "semblance_numerics/dual_solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "computed_rows_testing.hpp"
#include "dual_variables.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"

namespace semblance::numerics::dual_solver_test {
namespace {

using namespace semblance::testing;

struct Example {
  FloatMatrix kernel;
  std::vector<signed char> labels;
};

/// A Gaussian kernel on two overlapping clouds, the first half of the rows positive.
Example example(std::size_t rows, std::uint64_t seed) {
  constexpr std::size_t cols = 3;
  Random random(seed);
  std::vector<double> x(rows * cols);
  Example e{FloatMatrix(rows, rows), std::vector<signed char>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    e.labels[i] = static_cast<signed char>(2 * i < rows ? 1 : -1);
    for (std::size_t j = 0; j < cols; ++j) x[i * cols + j] = random.normal() + 0.6 * e.labels[i];
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k) {
      double distance = 0;
      for (std::size_t j = 0; j < cols; ++j)
        distance += std::pow(x[i * cols + j] - x[k * cols + j], 2);
      e.kernel.values[i * rows + k] = static_cast<float>(std::exp(-0.5 * distance));
    }
  return e;
}

DualSolution solve_source(const KernelSource& source, const Example& e, double cost,
                          const DualOptions& options, TestContext& context,
                          std::size_t cache_bytes = 1 << 20) {
  const Range all{0, e.labels.size()};
  RowCache cache(source, all, all, cache_bytes);
  DualProblem problem;
  problem.parts = {all};
  problem.rows[0][0] = &cache;
  problem.labels = e.labels;
  problem.costs.assign(e.labels.size(), cost);
  return solve(problem, options, context);
}

DualSolution solve_whole(const Example& e, double cost, std::size_t working_set,
                         double tolerance = 1e-6) {
  TestContext context;
  return solve_source(Computed(e.kernel), e, cost, {tolerance, 1'000'000, working_set}, context);
}

/// The optimality conditions, from the kernel alone: with f_i = sum_j b_j k_ij - y_i, the f of a
/// variable that may grow is at most `tolerance` below that of any that may shrink.
void check_optimal(const Example& e, const DualSolution& s, double cost, double tolerance) {
  const std::size_t n = e.labels.size();
  double sum = 0, least = HUGE_VAL, most = -HUGE_VAL, square = 0, linear = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double b = s.coefficients[i], y = e.labels[i];
    REQUIRE(b * y >= 0);
    REQUIRE(b * y <= cost);
    sum += b;
    double f = -y;
    for (std::size_t j = 0; j < n; ++j) f += s.coefficients[j] * double(e.kernel.values[i * n + j]);
    if (y > 0 ? b < cost : b < 0) least = std::min(least, f);
    if (y > 0 ? b > 0 : b > -cost) most = std::max(most, f);
    square += b * (f + y);
    linear += std::abs(b);
  }
  CHECK(std::abs(sum) < 1e-9);
  CHECK(most - least < tolerance);
  CHECK(s.squared_norm == doctest::Approx(square));
  CHECK(s.dual == doctest::Approx(square / 2 - linear));
  CHECK(s.primal >= -s.dual - 1e-9);
}

TEST_CASE("the solution meets the optimality conditions, with working sets of any size") {
  const Example e = example(150, 1);
  const double expected = solve_whole(e, 2, 150).dual;
  for (const std::size_t working_set : {1, 4, 5, 16, 64, 150, 512}) {
    const DualSolution s = solve_whole(e, 2, working_set);
    CHECK(s.certificate == Certificate::converged);
    CHECK(s.violation < 1e-6);
    CHECK(s.dual == doctest::Approx(expected).epsilon(1e-8));
    CHECK(s.primal == doctest::Approx(-s.dual).epsilon(1e-5));
    check_optimal(e, s, 2, 2e-6);
  }
}

TEST_CASE("a large working set is solved by smaller ones") {
  const Example e = example(2600, 5);
  const DualSolution small = solve_whole(e, 3, 512, 1e-4), large = solve_whole(e, 3, 2200, 1e-4);
  check_optimal(e, large, 3, 1.1e-4);
  CHECK(large.dual == doctest::Approx(small.dual).epsilon(1e-6));
  CHECK(large.rounds < small.rounds);
  CHECK(large.steps > 100);
  TestContext context;
  const DualSolution some = solve_source(Computed(e.kernel), e, 3, {1e-4, 50, 2200}, context);
  CHECK(some.certificate == Certificate::iteration_limit);
  CHECK(some.steps == 50);
}

TEST_CASE("two parts with caches of their own are the same problem") {
  const Example e = example(120, 2);
  TestContext context;
  const Computed source(e.kernel);
  const Range a{0, 60}, b{60, 60};
  RowCache aa(source, a, a, 1 << 20), ab(source, a, b, 4000), ba(source, b, a, 0),
      bb(source, b, b, 1 << 20);
  DualProblem problem;
  problem.parts = {a, b};
  problem.rows[0][0] = &aa, problem.rows[0][1] = &ab;
  problem.rows[1][0] = &ba, problem.rows[1][1] = &bb;
  problem.labels = e.labels;
  problem.costs.assign(120, 5);
  const DualSolution parts = solve(problem, {1e-6, 1'000'000, 24}, context);
  const DualSolution whole = solve_whole(e, 5, 24);
  CHECK(parts.coefficients == whole.coefficients);
  CHECK(parts.bias == whole.bias);
}

TEST_CASE("a problem that ends at the limit of steps is as consistent as any") {
  const Example e = example(900, 10);
  const std::size_t steps = solve_whole(e, 1, 24).steps;
  for (std::size_t most = steps / 2; most < steps - steps / 8; most += steps / 16) {
    TestContext context;
    const DualSolution s = solve_source(Computed(e.kernel), e, 1, {1e-6, most, 24}, context);
    CHECK(s.certificate == Certificate::iteration_limit);
    check_optimal(e, s, 1, INFINITY);
  }
}

/// Stops after a number of rows, like a similarity after a stop request.
class Stopping final : public KernelSource {
 public:
  Stopping(const FloatMatrix& matrix, std::size_t rows, TestContext& context)
      : matrix_(matrix.view()), rows_(rows), context_(context) {}
  void compute(std::span<const std::uint32_t> rows, std::size_t first,
               MutableMatrixView out) const override {
    served_ += rows.size();
    if (served_ > rows_) context_.stop = StopReason::cancelled;
    context_.check_stop();
    matrix_.compute(rows, first, out);
  }

 private:
  MatrixSource matrix_;
  std::size_t rows_;
  TestContext& context_;
  mutable std::size_t served_ = 0;
};

TEST_CASE("a stop that ends kernel rows loses no consistency") {
  const Example e = example(900, 10);
  std::size_t stopped = 0;
  for (std::size_t rows = 100; rows < 3000; rows += 16) {
    TestContext context;
    const DualSolution s =
        solve_source(Stopping(e.kernel, rows, context), e, 1, {1e-6, 1'000'000, 24}, context, 0);
    if (s.certificate != Certificate::cancelled) continue;
    check_optimal(e, s, 1, INFINITY);
    ++stopped;
  }
  CHECK(stopped > 0);
}

TEST_CASE("after a stop, the objective is that of the machine itself") {
  const Example e = example(200, 4);
  std::size_t stopped = 0;
  for (std::size_t rows = 50; rows < 1000; rows += 50) {
    TestContext context;
    DualOptions options{1e-6, 1'000'000, 24};
    options.gap = 1e-3;
    const DualSolution s =
        solve_source(Stopping(e.kernel, rows, context), e, 1e6, options, context, 0);
    if (s.certificate != Certificate::cancelled) continue;
    ++stopped;
    double losses = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      double f = s.bias;
      for (std::size_t j = 0; j < 200; ++j)
        f += s.coefficients[j] * double(e.kernel.values[i * 200 + j]);
      losses += std::max(0.0, 1 - e.labels[i] * f);
    }
    CHECK(s.primal == doctest::Approx(s.squared_norm / 2 + 1e6 * losses));
  }
  CHECK(stopped > 0);
}

TEST_CASE("the limit on steps is observed and reported") {
  const Example e = example(150, 3);
  TestContext context;
  const MatrixSource source(e.kernel.view());
  const Range all{0, 150};
  RowCache cache(source, all, all, 0);
  DualProblem problem;
  problem.parts = {all};
  problem.rows[0][0] = &cache;
  problem.labels = e.labels;
  problem.costs.assign(150, 2);
  const DualSolution s = solve(problem, {1e-6, 7, 16}, context);
  CHECK(s.certificate == Certificate::iteration_limit);
  CHECK(s.steps == 7);
  CHECK(s.dual < 0);
  CHECK(s.primal > -s.dual);
  context.stop = StopReason::deadline;
  CHECK(solve(problem, {1e-6, 7, 16}, context).certificate == Certificate::deadline);
}

TEST_CASE("a kernel without any curvature ends at the bounds") {
  Example e = example(40, 4);
  std::fill(e.kernel.values.begin(), e.kernel.values.end(), 0.0F);
  const DualSolution s = solve_whole(e, 3, 16);
  CHECK(s.certificate == Certificate::converged);
  CHECK(s.bounded == 40);
  CHECK(s.dual == doctest::Approx(-40 * 3));
}

TEST_CASE("rounding at a bound makes no variable free: the bias is the middle of its interval") {
  DualProblem problem;
  problem.labels = {1, 1, -1, -1};
  problem.costs = {2, 2, 2, 2};
  const std::vector<double> gradients = {-0.3, -0.2, 0.1, 0.4};
  DualSolution exact, rounded;
  exact.coefficients = {2, 2, -2, -2};
  rounded.coefficients = {2, std::nextafter(2.0, 0.0), -2, -2};
  take_gradients(problem, gradients, 1e9, false, exact);
  take_gradients(problem, gradients, 1e9, false, rounded);
  CHECK(exact.bias == doctest::Approx(0.05));
  CHECK(rounded.bias == exact.bias);
  CHECK(rounded.bounded == 4);
  // Far from the bound it is free and determines the bias.
  rounded.coefficients[1] = 1.999;
  take_gradients(problem, gradients, 1e9, false, rounded);
  CHECK(rounded.bias == doctest::Approx(0.2));
  CHECK(rounded.bounded == 3);
}

TEST_CASE("where LIBSVM's bias proves too little, the bias minimizes the objective") {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 3 + random.below(6);
    DualProblem problem;
    DualSolution s;
    std::vector<double> gradients;
    for (std::size_t i = 0; i < n; ++i) {
      problem.labels.push_back(static_cast<signed char>(i % 2 == 0 ? 1 : -1));
      problem.costs.push_back(std::pow(10, 3 * random.uniform()));
      s.coefficients.push_back(0);
      gradients.push_back(random.normal());
    }
    const auto objective = [&](double bias) {
      double losses = 0;
      for (std::size_t i = 0; i < n; ++i)
        losses += problem.costs[i] * std::max(0.0, -problem.labels[i] * (gradients[i] + bias));
      return losses;
    };
    double least = HUGE_VAL;
    for (const double gradient : gradients) least = std::min(least, objective(-gradient));
    take_gradients(problem, gradients, 0, false, s);
    CHECK(s.primal == doctest::Approx(least));
    CHECK(objective(s.bias) == doctest::Approx(least));
  }
}

TEST_CASE(
    "where violations cost more than the rest, a multiple of the function proves the optimum") {
  DualProblem problem;
  problem.labels = {1, -1};
  problem.costs = {1e6, 1e6};
  DualSolution own;
  own.coefficients = {0.4995, -0.4995};  // of x = 1 and -1; the optimum is 0.5
  const std::vector<double> gradients = {0.999 - 1, -0.999 + 1};
  DualSolution scaled = own;
  take_gradients(problem, gradients, 1e-3, false, own);
  CHECK(own.primal == doctest::Approx(0.999 * 0.999 / 2 + 2000));
  CHECK(relative_gap(own) > 0.9);
  take_gradients(problem, gradients, 1e-3, true, scaled);
  CHECK(scaled.primal == doctest::Approx(0.5));
  CHECK(relative_gap(scaled) == doctest::Approx(1e-6).epsilon(0.01));
}

TEST_CASE("an error of all values costs at most the sensitivity times it") {
  const Example e = example(80, 6);
  double most = 0;
  for (const double cost : {0.1, 1.0, 50.0}) {
    DualSolution s = solve_whole(e, cost, 512, 1e-3);
    const double reached = 1e-3 * s.sensitivity;
    DualProblem problem;
    problem.labels = e.labels;
    problem.costs.assign(80, cost);
    Random random(3);
    std::vector<double> gradients(80);
    for (std::size_t i = 0; i < 80; ++i) {
      gradients[i] = 1e-3 * (2 * random.uniform() - 1) - e.labels[i];
      for (std::size_t j = 0; j < 80; ++j)
        gradients[i] += s.coefficients[j] * double(e.kernel.values[i * 80 + j]);
    }
    DualSolution wrong = s;
    take_gradients(problem, gradients, 0, false, wrong);
    CHECK(wrong.primal + wrong.dual <= s.primal + s.dual + reached + 1e-9);
    most = std::max(most, reached);
  }
  CHECK(most > 0);  // with free variables
}

TEST_CASE("a solver that pauses gets the same bits") {
  const Example e = example(900, 10);
  const Range all{0, e.labels.size()};
  const Computed source(e.kernel);
  DualOptions options{1e-6, 1'000'000, 24};
  options.history = true;
  testing::TestContext context;
  RowCache cache(source, all, all, 0);
  DualProblem problem;
  problem.parts = {all};
  problem.rows[0][0] = &cache;
  problem.labels = e.labels;
  problem.costs.assign(e.labels.size(), 1);
  const DualSolution whole = solve(problem, options, context);
  REQUIRE(whole.rounds > 10);
  DualSolver solver(problem, options, context);
  std::size_t pauses = 0;
  while (!solver.advance([] { return true; })) ++pauses;
  CHECK(pauses > 8);
  const DualSolution found = solver.take();
  CHECK(found.coefficients == whole.coefficients);
  CHECK(found.bias == whole.bias);
  CHECK(found.dual == whole.dual);
  CHECK(found.violation == whole.violation);
  CHECK(found.rounding == whole.rounding);
  CHECK(found.steps == whole.steps);
  CHECK(found.rounds == whole.rounds);
  CHECK(found.history == whole.history);
}

TEST_CASE("the history has the violations after the rounds") {
  const Example e = example(900, 10);
  const Range all{0, e.labels.size()};
  const Computed source(e.kernel);
  testing::TestContext context;
  for (const std::size_t working_set : {24, 4}) {
    RowCache cache(source, all, all, 0);
    DualProblem problem;
    problem.parts = {all};
    problem.rows[0][0] = &cache;
    problem.labels = e.labels;
    problem.costs.assign(e.labels.size(), 1);
    DualOptions options{1e-6, 1'000'000, working_set};
    CHECK(solve(problem, options, context).history.empty());
    std::vector<double> every;
    options.after_round = [&](std::size_t round, double violation) {
      REQUIRE(round == every.size() + 1);
      every.push_back(violation);
    };
    options.history = true;
    const DualSolution found = solve(problem, options, context);
    REQUIRE(found.history.size() > 10);
    CHECK(found.history.size() <= 256);
    if (working_set == 4) REQUIRE(found.rounds > 256);
    CHECK(found.history.back() == ConvergencePoint{found.rounds, found.violation});
    for (const ConvergencePoint& point : found.history) CHECK(point.value == every[point.step - 1]);
  }
}

/// Samples with few columns: a linear kernel of low rank.
Example linear_example(std::size_t rows, std::size_t cols, double shift) {
  Random random(5);
  std::vector<double> x(rows * cols);
  Example e{FloatMatrix(rows, rows), std::vector<signed char>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    e.labels[i] = static_cast<signed char>(i % 2 == 0 ? 1 : -1);
    for (std::size_t j = 0; j < cols; ++j)
      x[i * cols + j] = random.normal() + shift * e.labels[i] * (j == 0);
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < cols; ++j) sum += x[i * cols + j] * x[k * cols + j];
      e.kernel.values[i * rows + k] = static_cast<float>(sum);
    }
  return e;
}

TEST_CASE("Newton steps reach the same optimum in fewer pair steps") {
  const Example e = linear_example(500, 30, 0.7);
  const Computed source(e.kernel);
  const double cost = 100;
  DualOptions options{1e-4, 10'000'000, 128};
  testing::TestContext context;
  const DualSolution pairs = solve_source(source, e, cost, options, context);
  options.pairs_before_newton = 200;
  const DualSolution newton = solve_source(source, e, cost, options, context);
  CHECK(newton.certificate == Certificate::converged);
  CHECK(newton.dual == doctest::Approx(pairs.dual).epsilon(1e-5));
  CHECK(newton.bias == doctest::Approx(pairs.bias).epsilon(1e-3));
  check_optimal(e, newton, cost, 1.1e-4);
  CHECK(newton.steps < pairs.steps / 3);
}

TEST_CASE("a similar problem starts at the solution of the first") {
  const Example e = linear_example(500, 10, 0.7);
  Example other = e;
  for (float& k : other.kernel.values) k *= 1.02F;
  const Range all{0, 500};
  DualOptions options{1e-4, 10'000'000, 128};
  testing::TestContext context;
  const DualSolution first = solve_source(Computed(e.kernel), e, 1, options, context);
  const Computed source(other.kernel);
  const DualSolution cold = solve_source(source, other, 1, options, context);
  std::vector<double> gradients(500);
  for (std::size_t i = 0; i < 500; ++i) {
    gradients[i] = -other.labels[i];
    for (std::size_t j = 0; j < 500; ++j)
      gradients[i] += double{other.kernel.values[i * 500 + j]} * first.coefficients[j];
  }
  RowCache cache(source, all, all, 1 << 20);
  DualProblem problem;
  problem.parts = {all};
  problem.rows[0][0] = &cache;
  problem.labels = other.labels;
  problem.costs.assign(500, 1);
  options.gradients = true;
  DualSolver solver(problem, options, context);
  REQUIRE(solver.resume(warm_start(first, gradients)));
  double dual = solver.dual();
  CHECK(dual > cold.dual);
  CHECK(dual < 0.9 * cold.dual);
  while (!solver.advance([&] {
    CHECK(solver.dual() <= dual + 1e-9 * std::abs(dual));
    dual = solver.dual();
    return true;
  })) {
  }
  const DualSolution warm = solver.take();
  CHECK(warm.dual == doctest::Approx(cold.dual).epsilon(1e-5));
  CHECK(first.gradients.empty());
  REQUIRE(warm.gradients.size() == 500);
  for (std::size_t i = 0; i < 500; ++i) {
    double gradient = -other.labels[i];
    for (std::size_t j = 0; j < 500; ++j)
      gradient += double{other.kernel.values[i * 500 + j]} * warm.coefficients[j];
    CHECK(warm.gradients[i] == doctest::Approx(gradient).epsilon(1e-9).scale(1));
  }
  REQUIRE(warm.largest_value > 0);
  // At the solution no kernel row is needed.
  const std::size_t computed = cache.computed();
  RowCache unused(source, all, all, 1 << 20);
  problem.rows[0][0] = &unused;
  DualState state = warm_start(warm, warm.gradients);
  state.largest_value = warm.largest_value;
  DualSolver again(problem, options, context);
  REQUIRE(again.resume(state));
  CHECK(again.advance());
  const DualSolution same = again.take();
  CHECK(unused.computed() == 0);
  CHECK(computed > 0);
  CHECK(same.certificate == Certificate::converged);
  CHECK(same.coefficients == warm.coefficients);
  CHECK(same.working_set == warm.working_set);
  CHECK(same.violation == warm.violation);
  CHECK(same.rounding == warm.rounding);
  check_optimal(other, warm, 1, 1.1e-4);
  CHECK(warm.steps < cold.steps);
}

TEST_CASE("a state of another problem is refused, and the solver begins anew") {
  const Example e = example(60, 2);
  const Range all{0, e.labels.size()};
  const Computed source(e.kernel);
  testing::TestContext context;
  RowCache cache(source, all, all, 1 << 20);
  DualProblem problem;
  problem.parts = {all};
  problem.rows[0][0] = &cache;
  problem.labels = e.labels;
  problem.costs.assign(e.labels.size(), 1);
  const DualOptions options{1e-6, 1'000'000, 16};
  const DualSolution whole = solve(problem, options, context);
  const DualState sound = warm_start(whole, std::vector<double>(60));
  const auto refused = [&](const DualState& state) {
    DualSolver solver(problem, options, context);
    CHECK_FALSE(solver.resume(state));
    REQUIRE(solver.advance());
    CHECK(solver.take().coefficients == whole.coefficients);
  };
  DualState state = sound;
  state.values.pop_back();
  refused(state);
  state = sound;
  state.working_set[0] = 60;
  refused(state);
  state = sound;
  state.working_set[1] = state.working_set[0];
  refused(state);
}

}  // namespace
}  // namespace semblance::numerics::dual_solver_test
