// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "solver_testing.hpp"

using namespace semblance;
using semblance::solvers::ExactHessian;
using namespace semblance::solvers::testing;

namespace {

constexpr double cost = 3, bias = 2;

/// H s + g in double, which is 0 for a Newton step, over the size of what it is the difference of.
double residual(const FloatMatrix& x, const std::vector<std::size_t>& active,
                const std::vector<double>& g, const std::vector<double>& s) {
  const std::size_t d = g.size();
  std::vector<double> left = g, size(d, 1e-300);
  for (std::size_t j = 0; j < d; ++j) left[j] += s[j];
  for (const std::size_t i : active) {
    const auto at = [&](std::size_t j) { return j + 1 < d ? x.values[i * (d - 1) + j] : bias; };
    double f = 0;
    for (std::size_t j = 0; j < d; ++j) f += at(j) * s[j];
    for (std::size_t j = 0; j < d; ++j) {
      left[j] += 2 * cost * f * at(j);
      size[j] += std::abs(2 * cost * f * at(j));
    }
  }
  double worst = 0;
  for (std::size_t j = 0; j < d; ++j)
    worst = std::max(worst, std::abs(left[j]) / (size[j] + std::abs(g[j])));
  return worst;
}

std::vector<double> random_vector(std::size_t n) {
  Random random(4);
  std::vector<double> v(n);
  for (double& x : v) x = random.normal();
  return v;
}

}  // namespace

TEST_CASE("steps stay exact while rows enter and leave") {
  const Data data = clouds(900, 280, 2);  // with the bias two tiles
  const MemoryRows rows(data.values);
  TestContext context;
  ExactHessian hessian(rows, bias);
  const std::vector<double> g = random_vector(281);
  std::vector<std::size_t> active(700);
  std::iota(active.begin(), active.end(), std::size_t{0});
  for (const std::size_t shift : {0, 5, 1, 150}) {
    for (std::size_t& i : active) i += shift;
    std::vector<double> s(281);
    REQUIRE(hessian.update(active, context));
    REQUIRE(hessian.solve(cost, g.data(), s.data(), context));
    CHECK(residual(data.values, active, g, s) < 1e-10);
  }
}

TEST_CASE("equal columns of a scale that swallows the identity give a step of descent") {
  Data data = clouds(50, 3, 2);
  for (std::size_t i = 0; i < 50; ++i) {
    data.values.values[3 * i] *= 1e12F;
    data.values.values[3 * i + 1] = data.values.values[3 * i];
  }
  const MemoryRows rows(data.values);
  TestContext context;
  ExactHessian hessian(rows, bias);
  std::vector<std::size_t> active(50);
  std::iota(active.begin(), active.end(), std::size_t{0});
  const std::vector<double> g = random_vector(4);
  std::vector<double> s(4);
  REQUIRE(hessian.update(active, context));
  REQUIRE(hessian.solve(cost, g.data(), s.data(), context));
  CHECK(std::inner_product(g.begin(), g.end(), s.begin(), 0.0) < 0);
}

TEST_CASE("a stop request ends an update and a solution") {
  const Data data = clouds(50, 3, 2);
  const MemoryRows rows(data.values);
  TestContext context;
  ExactHessian hessian(rows, bias);
  const std::vector<double> g(4, 1.0);
  std::vector<double> s(4);
  context.stop = StopReason::cancelled;
  CHECK_FALSE(hessian.update({1, 2, 3}, context));
  CHECK_FALSE(hessian.solve(cost, g.data(), s.data(), context));
}
