// SPDX-License-Identifier: MIT
// Stiff problems, in which 2C |x|^2 is many orders of magnitude above the regularizer's 1.
#include "newton/row_functions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "solver_testing.hpp"

namespace row_functions_test {

using namespace semblance;
using namespace semblance::common::testing;

namespace {

using Real = long double;

/// Solves one problem in long double, by dense elimination and bisection: slow, but shares no code
/// with the tested one.
class BruteForce {
 public:
  BruteForce(const Data& data, std::int32_t positive, Real cost, Real bias)
      : n_(data.labels.size()), d_(data.values.cols + 1), cost_(cost), w_(d_), x_(n_ * d_) {
    for (std::size_t i = 0; i < n_; ++i) {
      y_.push_back(data.labels[i] == positive ? 1 : -1);
      for (std::size_t j = 0; j + 1 < d_; ++j)
        x_[i * d_ + j] = data.values.values[i * (d_ - 1) + j];
      x_[i * d_ + d_ - 1] = bias;
    }
  }

  /// The minimum, proved: the objective is 1-strongly convex, so it is within |g|^2 / 2.
  Real minimum() {
    for (int iteration = 0; iteration < 500; ++iteration) {
      const std::vector<Real> g = slope(w_);
      Real square = 0;
      for (const Real x : g) square += x * x;
      if (square / 2 < 1e-10L * value()) return value();
      const std::vector<Real> step = newton_step(g);
      Real low = 0, high = 1;
      while (along(step, high) < 0) high *= 2;
      for (int i = 0; i < 100; ++i)
        (along(step, (low + high) / 2) < 0 ? low : high) = (low + high) / 2;
      for (std::size_t j = 0; j < d_; ++j) w_[j] += high * step[j];
    }
    FAIL("the brute force did not end");
    return 0;
  }

 private:
  Real slack(const std::vector<Real>& w, std::size_t i) const {
    Real f = 0;
    for (std::size_t j = 0; j < d_; ++j) f += w[j] * x_[i * d_ + j];
    return std::max<Real>(0, 1 - y_[i] * f);
  }
  Real value() const {
    Real sum = 0;
    for (const Real x : w_) sum += x * x / 2;
    for (std::size_t i = 0; i < n_; ++i) sum += cost_ * slack(w_, i) * slack(w_, i);
    return sum;
  }
  std::vector<Real> slope(const std::vector<Real>& w) const {
    std::vector<Real> g = w;
    for (std::size_t i = 0; i < n_; ++i) {
      const Real alpha = 2 * cost_ * y_[i] * slack(w, i);
      for (std::size_t j = 0; j < d_; ++j) g[j] -= alpha * x_[i * d_ + j];
    }
    return g;
  }
  Real along(const std::vector<Real>& step, Real t) const {
    std::vector<Real> w = w_;
    for (std::size_t j = 0; j < d_; ++j) w[j] += t * step[j];
    const std::vector<Real> g = slope(w);
    Real sum = 0;
    for (std::size_t j = 0; j < d_; ++j) sum += g[j] * step[j];
    return sum;
  }
  std::vector<Real> newton_step(std::vector<Real> g) const {
    std::vector<Real> h(d_ * d_);
    for (std::size_t j = 0; j < d_; ++j) h[j * d_ + j] = 1;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; slack(w_, i) > 0 && j < d_; ++j)
        for (std::size_t k = 0; k < d_; ++k)
          h[j * d_ + k] += 2 * cost_ * x_[i * d_ + j] * x_[i * d_ + k];
    for (std::size_t p = 0; p < d_; ++p)
      for (std::size_t i = p + 1; i < d_; ++i) {
        const Real factor = h[i * d_ + p] / h[p * d_ + p];
        for (std::size_t j = p; j < d_; ++j) h[i * d_ + j] -= factor * h[p * d_ + j];
        g[i] -= factor * g[p];
      }
    for (std::size_t p = d_; p-- > 0;) {
      for (std::size_t j = p + 1; j < d_; ++j) g[p] += h[p * d_ + j] * g[j];
      g[p] /= -h[p * d_ + p];
    }
    return g;
  }

  std::size_t n_, d_;
  Real cost_;
  std::vector<Real> w_, x_, y_;
};

/// Columns with large values in fewer and fewer rows, so that the optimum depends on slacks of
/// 1e-6; with scales from 1e-2 to 1e4, a duplicate, a constant one and one of zeros.
Data stiff(std::size_t rows, std::size_t cols, std::size_t classes) {
  Random random(5);
  Data data{FloatMatrix(rows, cols), {}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t label = random.below(classes);
    data.labels.push_back(static_cast<std::int32_t>(label));
    float* x = &data.values.values[i * cols];
    for (std::size_t j = 0; j < cols; ++j)
      if (random.below(1 + j * j) < 8)
        x[j] = static_cast<float>(
            std::pow(10.0, static_cast<double>(j % 7) - 2) *
            (static_cast<double>(random.below(20)) + (j % classes == label ? 3 : 0)));
    x[cols - 3] = x[0];
    x[cols - 2] = 1000;
    x[cols - 1] = 0;
  }
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back(std::to_string(c));
  return data;
}

}  // namespace

TEST_CASE("a stiff problem is solved to the optimum of a brute force, and proved") {
  const Data data = stiff(1000, 60, 3);
  TestContext context;
  const auto trained = train("solver/linear_svm", data, context,
                             {{"C", 10.0}, {"tolerance", 1e-7}, {"center", false}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  const auto& table = trained.report.tables.at("objectives");
  for (std::int32_t c = 0; c < 3; ++c) {
    const auto minimum = static_cast<double>(BruteForce(data, c, 10, 1).minimum());
    CHECK(table.values[static_cast<std::size_t>(c) * table.columns.size()] ==
          doctest::Approx(minimum).epsilon(1e-6));
  }
}

TEST_CASE("a stiff problem of several tiles gives the same bits on one and two threads") {
  const Data data = stiff(2500, 300, 4);
  TestContext one(1), two(2);
  const auto trained = train("solver/linear_svm", data, one);
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(scores(*trained.solver, data).values ==
        scores(*train("solver/linear_svm", data, two).solver, data).values);
}

TEST_CASE("whether a problem takes exact steps does not depend on the memory") {
  const Data data = stiff(1000, 60, 3);
  const Parameters stiff_parameters = {{"C", 10.0}, {"tolerance", 1e-7}};
  CHECK(same_bits_with_budgets("solver/linear_svm", data, stiff_parameters, {4 << 10, 1200}));
  CHECK(training_error("solver/linear_svm", data, stiff_parameters, 400 << 10)
            .starts_with("the exact steps of "));
}

TEST_CASE("nearly hard margins take tens of steps, not hundreds") {
  // Separable, with values so large that hardly any sample is inside the margin at C = 1.
  Random random(9);
  Data data{FloatMatrix(1500, 150), {}, {"a", "b"}};
  for (std::size_t i = 0; i < 1500; ++i) {
    const auto label = static_cast<std::int32_t>(random.below(2));
    data.labels.push_back(label);
    for (std::size_t j = 0; j < 150; ++j)
      data.values.values[i * 150 + j] = static_cast<float>(
          1000 * random.normal() + (j < 30 ? 1200 * (static_cast<double>(label) - 0.5) : 0));
  }
  TestContext context;
  const auto trained = train("solver/linear_svm", data, context, {{"tolerance", 1e-7}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  CHECK(trained.report.integers.at("iterations") < 60);
}

}  // namespace row_functions_test
