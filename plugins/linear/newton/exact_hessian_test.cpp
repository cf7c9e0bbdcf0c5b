// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "solver_testing.hpp"
#include "sparse_clouds_testing.hpp"

namespace exact_hessian_test {

using namespace semblance;
using semblance::linear::ExactHessian;
using semblance::linear::RowWeights;
using namespace semblance::common::testing;

namespace {

constexpr double cost = 3, bias = 2;

/// H s + g in long double, which is 0 for a Newton step, relative to |H| |s| + |g|, the scale of
/// its rounding errors.
double residual(const FloatMatrix& x, const std::vector<std::size_t>& active,
                const std::vector<double>& g, const std::vector<double>& s,
                RowWeights weights = {}) {
  using Real = long double;
  const std::size_t d = g.size();
  std::vector<Real> left(d), size(d);
  for (std::size_t j = 0; j < d; ++j) {
    left[j] = Real{g[j]} + s[j];
    size[j] = std::abs(Real{g[j]}) + std::abs(s[j]);
  }
  for (const std::size_t i : active) {
    const auto at = [&](std::size_t j) -> Real {
      return j + 1 < d ? Real{x.values[i * (d - 1) + j]} : Real{bias};
    };
    Real f = 0, most = 0;
    for (std::size_t j = 0; j < d; ++j) {
      f += at(j) * s[j];
      most += std::abs(at(j) * s[j]);
    }
    const Real factor = 2 * cost * weights(i);
    for (std::size_t j = 0; j < d; ++j) {
      left[j] += factor * f * at(j);
      size[j] += std::abs(factor * most * at(j));
    }
  }
  Real worst = 0;
  for (std::size_t j = 0; j < d; ++j) worst = std::max(worst, std::abs(left[j]) / size[j]);
  return double(worst);
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

namespace {

/// Makes steps with entering and leaving active rows; checks each step and the form of H.
void check_steps(const Rows& rows, const FloatMatrix& values,
                 std::vector<std::pair<std::size_t, bool>> counts, RowWeights weights = {}) {
  TestContext context(2);
  ExactHessian hessian(rows, bias, weights);
  const std::size_t d = values.cols + 1;
  const std::vector<double> g = random_vector(d);
  std::size_t turn = 0;
  for (const auto& [count, of_rows] : counts) {
    CAPTURE(count);
    // Some of the last ones, out of those that follow.
    std::vector<std::size_t> active;
    for (std::size_t i = 0; active.size() < count; ++i)
      if ((i + turn) % 7 != 0) active.push_back(i);
    ++turn;
    std::vector<double> s(d);
    REQUIRE(hessian.update(active, context));
    CHECK(hessian.of_rows() == of_rows);
    REQUIRE(hessian.solve(cost, g.data(), s.data(), context));
    CHECK(residual(values, active, g, s, weights) < 1e-15);
  }
}

}  // namespace

TEST_CASE("few active rows of many columns use the products of rows, many do not") {
  const Data data = clouds(1000, 1100, 2);  // several tiles of rows, and two strips of columns
  const MemoryRows rows(data.values);
  check_steps(rows, data.values,
              {{200, true}, {260, true}, {130, true}, {840, false}, {830, false}, {100, true}});
}

TEST_CASE("no active row at first, some later") {
  const Data data = clouds(60, 40, 2);
  const MemoryRows rows(data.values);
  check_steps(rows, data.values, {{0, true}, {5, true}, {0, true}});
}

TEST_CASE("row weights enter both forms") {
  const Data data = clouds(400, 150, 2);
  const MemoryRows rows(data.values);
  std::vector<double> u(400);
  for (std::size_t i = 0; i < 400; ++i) u[i] = 0.25 + double(i % 5);
  check_steps(rows, data.values, {{50, true}, {300, false}}, {u});
}

TEST_CASE("columns of scales from 1 to 1e4 leave steps of few rows exact") {
  Data data = clouds(300, 400, 2);
  for (std::size_t i = 0; i < data.values.values.size(); ++i)
    data.values.values[i] *= std::pow(10.0F, static_cast<float>(i % 400 % 5));
  const MemoryRows rows(data.values);
  check_steps(rows, data.values, {{150, true}, {151, true}, {90, true}});
}

TEST_CASE("sparse rows give the steps of the same rows in dense form") {
  const Data sparse = sparse_clouds(200, 1500, 2), dense = laid_out(sparse);
  const MemoryRows sparse_rows(sparse.values), dense_rows(dense.values);
  check_steps(sparse_rows, dense.values, {{120, true}, {130, true}});
  TestContext context;
  std::vector<std::vector<double>> steps;
  const std::vector<double> g = random_vector(1501);
  for (const Rows* rows :
       {static_cast<const Rows*>(&sparse_rows), static_cast<const Rows*>(&dense_rows)}) {
    ExactHessian hessian(*rows, bias);
    REQUIRE(hessian.update({1, 5, 77, 150}, context));
    REQUIRE(hessian.solve(cost, g.data(), steps.emplace_back(1501).data(), context));
  }
  CHECK(steps[0] == steps[1]);
}

TEST_CASE("few rows of many columns take the memory of the rows' products") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  CHECK(ExactHessian::bytes(60, 3073) < mebibyte);
  CHECK(ExactHessian::scratch_bytes(60, 3073) < 4 * mebibyte);
  for (const std::size_t rows : {3000U, 100000U}) {
    CHECK(ExactHessian::bytes(rows, 3073) >= 3073 * 3073 * sizeof(double));
    CHECK(ExactHessian::scratch_bytes(rows, 3073) >= 3073 * 3073 * sizeof(double));
  }
}

}  // namespace exact_hessian_test
