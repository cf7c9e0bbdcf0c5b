// SPDX-License-Identifier: MIT
// Duals of other machines than two-class ones: with a linear term, mirrored rows, or a given sum.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "computed_rows_testing.hpp"
#include "dual_variables.hpp"
#include "semblance/random.hpp"
#include "semblance/testing.hpp"
#include "semblance_numerics/dual_solver.hpp"

namespace semblance::numerics::dual_forms_test {
namespace {

using namespace semblance::testing;

/// A Gaussian kernel on normally distributed points.
FloatMatrix gaussian_matrix(std::size_t rows) {
  Random random(8);
  std::vector<double> x(2 * rows);
  for (double& value : x) value = random.normal();
  FloatMatrix kernel(rows, rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k)
      kernel.values[i * rows + k] = static_cast<float>(
          std::exp(-std::pow(x[2 * i] - x[2 * k], 2) - std::pow(x[2 * i + 1] - x[2 * k + 1], 2)));
  return kernel;
}

/// Regression: two variables for each row.
DualProblem regression(std::size_t rows, double epsilon, double cost) {
  Random random(5);
  std::vector<double> y(rows);
  for (double& value : y) value = random.normal();
  DualProblem problem;
  problem.parts = {{0, rows}, {0, rows}};
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < rows; ++i) {
      problem.labels.push_back(static_cast<signed char>(sign));
      problem.linear.push_back(y[i] - sign * epsilon);
      problem.costs.push_back(i % 7 == 3 ? 0 : cost);
    }
  return problem;
}

DualSolution solve_with(DualProblem problem, const FloatMatrix& kernel, const DualOptions& options,
                        Context& context, std::size_t cache_bytes = 1 << 20) {
  const Computed source(kernel);
  const Range all{0, kernel.rows};
  RowCache cache(source, all, all, cache_bytes);
  for (auto& row : problem.rows)
    for (RowCache*& one : row) one = &cache;
  return solve(problem, options, context);
}

/// The optimality conditions and figures, from the kernel matrix alone.
void check_solution(const DualProblem& p, const FloatMatrix& kernel, const DualSolution& s,
                    double sum, double tolerance) {
  const std::size_t n = kernel.rows;
  double total = 0, least = HUGE_VAL, most = -HUGE_VAL, square = 0, linear = 0, losses = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double b = s.coefficients[i];
    REQUIRE(b >= lower(p, i));
    REQUIRE(b <= upper(p, i));
    total += b;
    double f = 0;
    for (std::size_t j = 0; j < p.size(); ++j)
      f += s.coefficients[j] * double(kernel.values[i % n * n + j % n]);
    if (b < upper(p, i)) least = std::min(least, f - p.linear[i]);
    if (b > lower(p, i)) most = std::max(most, f - p.linear[i]);
    square += b * f;
    linear += b * p.linear[i];
    losses += p.costs[i] * std::max(0.0, p.labels[i] * (p.linear[i] - f - s.bias));
  }
  CHECK(total == doctest::Approx(sum));
  CHECK(most - least < tolerance);
  CHECK(s.squared_norm == doctest::Approx(square));
  CHECK(s.dual == doctest::Approx(square / 2 - linear));
  CHECK(s.primal == doctest::Approx(square / 2 + losses + s.bias * sum));
  CHECK(s.primal >= -s.dual - 1e-9);
}

}  // namespace

TEST_CASE("regression: mirrored rows give the optimum, with working sets of any size") {
  const FloatMatrix kernel = gaussian_matrix(120);
  for (const double epsilon : {0.0, 0.2, 5.0})
    for (const std::size_t working_set : {4, 16, 64, 512}) {
      TestContext context;
      DualProblem problem = regression(120, epsilon, 2);
      problem.mirrored = true;
      const DualSolution s = solve_with(problem, kernel, {1e-6, 1'000'000, working_set}, context);
      CHECK(s.certificate == Certificate::converged);
      check_solution(problem, kernel, s, 0, 2e-6);
      CHECK((s.vectors == 0) == (epsilon == 5));
    }
}

TEST_CASE("mirrored rows save memory and time only") {
  const FloatMatrix kernel = gaussian_matrix(150);
  TestContext context;
  const DualProblem plain = regression(150, 0.1, 2);
  DualProblem mirrored = plain;
  mirrored.mirrored = true;
  DualOptions options{1e-7, 1'000'000, 32};
  const DualSolution expected = solve_with(plain, kernel, options, context);
  const DualSolution found = solve_with(mirrored, kernel, options, context);
  CHECK(found.dual == doctest::Approx(expected.dual).epsilon(1e-9));
  CHECK(found.bias == doctest::Approx(expected.bias).epsilon(1e-4));
  // How many rows are held changes no bit.
  for (const std::size_t held : {0, 5, 32}) {
    options.held_rows = held;
    options.fetched_rows = 7;
    const DualSolution again = solve_with(mirrored, kernel, options, context, 0);
    CHECK(again.coefficients == found.coefficients);
    CHECK(again.bias == found.bias);
  }
}

TEST_CASE("a starting point decides the sum of the variables") {
  const std::size_t n = 150;
  const FloatMatrix kernel = gaussian_matrix(n);
  for (const double sum : {1.0, 37.5, 149.0, 150.0}) {
    DualProblem problem;
    problem.parts = {{0, n}};
    problem.labels.assign(n, 1);
    problem.costs.assign(n, 1);
    problem.linear.assign(n, 0);
    double left = sum;
    for (std::size_t i = 0; i < n; ++i) {
      problem.start.push_back(std::min(left, 1.0));
      left -= problem.start.back();
    }
    TestContext context;
    const DualSolution s = solve_with(problem, kernel, {1e-6, 1'000'000, 16}, context);
    CHECK(s.certificate == Certificate::converged);
    CHECK(std::isfinite(s.bias));
    check_solution(problem, kernel, s, sum, 2e-6);
  }
}

TEST_CASE("an error of all functions costs classes that are apart a factor, not their C") {
  const std::size_t n = 60;
  Random random(3);
  std::vector<double> x(2 * n);
  FloatMatrix kernel(n, n);
  DualProblem problem;
  problem.parts = {{0, n}};
  for (std::size_t i = 0; i < n; ++i) {
    const bool positive = i % 2 == 0;
    x[2 * i] = random.normal() + (positive ? 4 : -4);
    x[2 * i + 1] = random.normal();
    problem.labels.push_back(static_cast<signed char>(positive ? 1 : -1));
    problem.costs.push_back(1e6);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      kernel.values[i * n + j] = static_cast<float>(std::exp(
          -0.05 * (std::pow(x[2 * i] - x[2 * j], 2) + std::pow(x[2 * i + 1] - x[2 * j + 1], 2))));
  TestContext context;
  DualOptions options;
  options.most_steps = 1'000'000;
  DualSolution solution = solve_with(problem, kernel, options, context);
  REQUIRE(solution.certificate == Certificate::converged);
  CHECK(solution.margin == doctest::Approx(1).epsilon(1e-3));
  // Another kernel, whose functions differ by up to `apart`.
  FloatMatrix other = kernel;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      other.values[i * n + j] = other.values[j * n + i] +=
          static_cast<float>(1e-6 * (random.uniform() - 0.5));
  const auto values = [&](const FloatMatrix& k) {
    std::vector<double> f(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        f[i] += solution.coefficients[j] * double{k.values[i * n + j]};
    return f;
  };
  const std::vector<double> before = values(kernel), after = values(other);
  double apart = 0, square = 0, sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i) {
    apart = std::max(apart, std::abs(after[i] - before[i]));
    square += solution.coefficients[i] * after[i];
    sum += std::abs(solution.coefficients[i]);
    if (problem.labels[i] > 0) low = std::min(low, after[i]);
    if (problem.labels[i] < 0) high = std::max(high, after[i]);
  }
  const double factor = 2 / (low - high);
  const double gap = factor * factor * square / 2 + square / 2 - sum;
  REQUIRE(apart > 0);
  CHECK(apart * solution.sensitivity > 1e-3 * std::abs(solution.dual));  // nothing would be proved
  allow_error(apart, options, solution);
  CHECK(gap <= solution.primal + solution.dual);
  CHECK(solution.certificate == Certificate::converged);
  // Nor is anything proved of errors as large as the margin.
  allow_error(1.0, options, solution);
  CHECK(solution.certificate == Certificate::iteration_limit);
}

TEST_CASE("a stop before the starting point is known leaves 0") {
  const FloatMatrix kernel = gaussian_matrix(60);
  DualProblem problem;
  problem.parts = {{0, 60}};
  problem.labels.assign(60, 1);
  problem.costs.assign(60, 1);
  problem.linear.assign(60, 0);
  problem.start.assign(60, 0.5);
  TestContext context;
  context.stop = StopReason::deadline;
  const DualSolution s = solve_with(problem, kernel, {1e-6, 1'000'000, 16}, context);
  CHECK(s.certificate == Certificate::deadline);
  CHECK(std::isfinite(s.bias));
}

}  // namespace semblance::numerics::dual_forms_test
