// SPDX-License-Identifier: MIT
#include "newton/exact_hessian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "newton/row_functions.hpp"
#include "solver_testing.hpp"
#include "sparse_clouds_testing.hpp"

namespace exact_hessian_test {

using namespace semblance;
using namespace semblance::common::testing;
using semblance::linear::ColumnGram;
using semblance::linear::LinearTask;
using semblance::linear::RowSteps;
using semblance::linear::RowWeights;
using semblance::numerics::SquaredLosses;
using semblance::numerics::Vectors;

namespace {

constexpr double cost = 3, bias = 2;

/// H s + g in long double, which is 0 for a Newton step, relative to |H| |s| + |g|, the scale of
/// its rounding errors.
double residual(const FloatMatrix& x, const std::vector<std::size_t>& active,
                const std::vector<double>& g, const double* s, RowWeights weights = {}) {
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

std::vector<std::size_t> first(std::size_t count, std::size_t from = 0) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), from);
  return rows;
}

}  // namespace

TEST_CASE("by columns, steps stay exact while rows enter and leave") {
  const Data data = clouds(900, 280, 2);  // with the bias two tiles
  const MemoryRows rows(data.values);
  std::vector<double> u(900);
  for (std::size_t i = 0; i < 900; ++i) u[i] = 0.25 + double(i % 5);
  const std::vector<double> g = random_vector(281);
  for (const RowWeights weights : {RowWeights(), RowWeights{u}}) {
    TestContext context;
    ColumnGram hessian(rows, bias, weights);
    for (const std::size_t shift : {0, 5, 6, 156}) {
      const std::vector<std::size_t> active = first(700, shift);
      std::vector<double> s(281);
      REQUIRE(hessian.update(active, context));
      REQUIRE(hessian.solve(cost, g.data(), s.data(), context));
      CHECK(residual(data.values, active, g, s.data(), weights) < 1e-10);
    }
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
  ColumnGram hessian(rows, bias, {});
  const std::vector<double> g = random_vector(4);
  std::vector<double> s(4);
  REQUIRE(hessian.update(first(50), context));
  REQUIRE(hessian.solve(cost, g.data(), s.data(), context));
  CHECK(std::inner_product(g.begin(), g.end(), s.begin(), 0.0) < 0);
}

TEST_CASE("a stop request ends an update and a solution") {
  const Data data = clouds(50, 3, 2);
  const MemoryRows rows(data.values);
  TestContext context;
  ColumnGram hessian(rows, bias, {});
  const std::vector<double> g(4, 1.0);
  std::vector<double> s(4);
  REQUIRE(hessian.update({1, 2}, context));
  context.stop = StopReason::cancelled;
  CHECK_FALSE(hessian.update({1, 2, 3}, context));
  CHECK_FALSE(hessian.solve(cost, g.data(), s.data(), context));
}

namespace {

/// The steps by rows of two problems, the second one with the gradient of the first negated, with
/// `counts` active rows each in turn; checks each step, and returns the last.
std::vector<double> check_steps(const Data& data, const FloatMatrix& values,
                                const std::vector<std::size_t>& counts,
                                std::vector<double> weights = {}) {
  TestContext context(2);
  const MemoryRows rows(data.values);
  const bool sparse = data.values.view().sparse();
  const std::size_t n = rows.rows(), d = rows.cols() + 1;
  const Layout layout = sparse ? Layout::sparse(rows.cols()) : Layout::vector(rows.cols());
  const std::vector<std::int32_t> labels(n, 0);
  const std::vector<std::string> classes{"a", "b", "c"};
  const TrainingSet set{rows, layout, labels, classes};
  const LinearTask task{set, {cost}, weights, bias};
  SquaredLosses losses(linear::losses_of(task, 0, 2), context);
  RowSteps steps(task, 2, std::size_t{1} << 30, std::size_t{1} << 30, context);
  const std::vector<double> g = random_vector(d);
  Vectors<double> gradient(2, d), found(2, d);
  for (std::size_t j = 0; j < d; ++j) gradient.row(0)[j] = g[j], gradient.row(1)[j] = -g[j];
  std::vector<double> negative(g);
  for (double& x : negative) x = -x;
  const std::vector<std::size_t> live{0, 1};
  std::size_t turn = 0;
  for (const std::size_t count : counts) {
    CAPTURE(count);
    std::vector<std::size_t> active;
    for (std::size_t i = 0; active.size() < count; ++i)
      if ((i + turn) % 7 != 0) active.push_back(i);
    ++turn;
    // All samples are of the first class, so f = 2 and f = -2 leave no loss in the two problems.
    for (std::size_t i = 0; i < n; ++i) {
      const bool loses = std::ranges::binary_search(active, i);
      losses.values()[2 * i] = loses ? 0 : 2;
      losses.values()[2 * i + 1] = loses ? 0 : -2;
    }
    REQUIRE(steps.solve(losses, gradient, live, found));
    CHECK(residual(values, active, g, found.row(0), {weights}) < 1e-15);
    CHECK(residual(values, active, negative, found.row(1), {weights}) < 1e-15);
  }
  return {found.row(0), found.row(0) + d};
}

}  // namespace

TEST_CASE("by rows, steps of several problems are exact whichever rows are active") {
  const Data data = clouds(500, 1100, 2);  // several tiles of rows, and strips of columns
  check_steps(data, data.values, {200, 260, 130, 0, 420});
}

TEST_CASE("by rows, weights enter the steps") {
  const Data data = clouds(100, 250, 2);
  std::vector<double> u(100);
  for (std::size_t i = 0; i < 100; ++i) u[i] = 0.25 + double(i % 5);
  check_steps(data, data.values, {50, 80}, u);
}

TEST_CASE("columns of scales from 1 to 1e4 leave steps by rows exact") {
  Data data = clouds(200, 400, 2);
  for (std::size_t i = 0; i < data.values.values.size(); ++i)
    data.values.values[i] *= std::pow(10.0F, static_cast<float>(i % 400 % 5));
  check_steps(data, data.values, {150, 151, 90});
}

TEST_CASE("sparse rows give the steps of the same rows in dense form") {
  const Data sparse = sparse_clouds(200, 1500, 2), dense = laid_out(sparse);
  const std::vector<double> found = check_steps(sparse, dense.values, {120, 130}),
                            expected = check_steps(dense, dense.values, {120, 130});
  for (std::size_t j = 0; j < found.size(); ++j)
    CHECK(found[j] == doctest::Approx(expected[j]).epsilon(1e-9));
}

TEST_CASE("products of sparse rows about a centre are those of the differences from it") {
  const Data sparse = sparse_clouds(70, 300, 2), dense = laid_out(sparse);
  const MemoryRows rows(sparse.values);
  std::vector<double> centre(300);
  for (std::size_t j = 0; j < 300; ++j) centre[j] = 0.01 * double(j % 7);
  TestContext context;
  const Vectors<double> products = linear::row_products(rows, bias, centre, context);
  for (std::size_t i = 0; i < 70; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = bias * bias;
      for (std::size_t j = 0; j < 300; ++j)
        sum += (double{dense.values.values[i * 300 + j]} - centre[j]) *
               (double{dense.values.values[k * 300 + j]} - centre[j]);
      CHECK(products.row(i)[k] == doctest::Approx(sum).epsilon(1e-10));
    }
}

}  // namespace exact_hessian_test
