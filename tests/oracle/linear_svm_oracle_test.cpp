// SPDX-License-Identifier: MIT
// linear_svm against LIBLINEAR's -s 2 (trust region Newton, primal), run to a small eps.
#include <doctest/doctest.h>
#include <linear.h>

#include <algorithm>
#include <cmath>

#include "liblinear_oracle.hpp"
#include "oracle_data.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

namespace linear_svm_oracle_test {

using namespace semblance;
using oracle::Data;

namespace {

struct Machine {
  double objective = 0;
  std::vector<float> scores;
  std::string certificate;
};

double squared_hinge(const Data& data, const std::vector<double>& w, double bias, double cost,
                     std::int32_t positive) {
  const std::size_t cols = data.values.cols;
  double regularizer = 0, loss = 0;
  for (const double x : w) regularizer += x * x / 2;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    double f = bias > 0 ? w[cols] * bias : 0;
    for (std::size_t j = 0; j < cols; ++j) f += w[j] * data.values.values[i * cols + j];
    const double y = data.labels[i] == positive ? 1 : -1;
    loss += std::pow(std::max(0.0, 1 - y * f), 2);
  }
  return regularizer + cost * loss;
}

/// The sum of LIBLINEAR's objectives over all one-versus-rest problems.
double liblinear_objective(const Data& data, double cost, double bias, double eps) {
  const oracle::Weights weights = oracle::liblinear(data, L2R_L2LOSS_SVC, cost, bias, eps);
  double sum = 0;
  for (std::size_t v = 0; v < weights.classes.size(); ++v) {
    const auto first = weights.values.begin() + static_cast<std::ptrdiff_t>(v * weights.length);
    const std::vector<double> w(first, first + static_cast<std::ptrdiff_t>(weights.length));
    sum += squared_hinge(data, w, bias, cost, weights.classes[v]);
  }
  return sum;
}

Machine linear_svm(const Data& data, double cost, double bias, double tolerance,
                   std::size_t threads = 2, bool center = false) {
  auto svm = testing::make_component<Solver>(
      "solver/linear_svm",
      {{"C", cost}, {"bias", bias}, {"tolerance", tolerance}, {"center", center}});
  testing::TestContext context(threads);
  testing::MemoryReport report;
  const testing::MemoryRows rows(data.values);
  const Layout layout = Layout::vector(data.values.cols);
  svm->bind(layout);
  svm->train({rows, layout, data.labels, data.classes}, report, context);
  FloatMatrix scores(data.values.rows, data.classes.size());
  svm->apply(data.values.view(), scores.view(), context);
  CHECK(report.numbers.at("duality_gap") <= tolerance);
  return {report.numbers.at("objective"), scores.values, report.texts.at("certificate")};
}

/// Both sides may be above the optimum, each by its own tolerance.
void check_agreement(const Data& data, double cost, double bias) {
  const double expected = liblinear_objective(data, cost, bias, 1e-8);
  const Machine found = linear_svm(data, cost, bias, 1e-7);
  CHECK(found.certificate == "converged");
  CHECK(found.objective == doctest::Approx(expected).epsilon(1e-6));
}

}  // namespace

TEST_CASE("about the means: LIBLINEAR on rows minus their means") {
  for (const float level : {0.0F, 1000.0F}) {
    CAPTURE(level);
    Data data = oracle::clouds(600, 12, 3);
    for (float& x : data.values.values) x = std::round(64 * x) / 64 + level;
    const double found = linear_svm(data, 2, 1, 1e-7, 2, true).objective;
    const std::size_t rows = data.values.rows, cols = data.values.cols;
    for (std::size_t j = 0; j < cols; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += double{data.values.values[i * cols + j]};
      for (std::size_t i = 0; i < rows; ++i) {
        float& x = data.values.values[i * cols + j];
        x = static_cast<float>(double{x} - sum / static_cast<double>(rows));
      }
    }
    CHECK(found == doctest::Approx(liblinear_objective(data, 2, 1, 1e-8)).epsilon(1e-6));
  }
}

TEST_CASE("two classes") { check_agreement(oracle::clouds(800, 20, 2), 1, 1); }

TEST_CASE("ten classes, with and without a bias") {
  const Data data = oracle::clouds(1500, 30, 10);
  for (const double bias : {0.0, 1.0, 10.0}) check_agreement(data, 1, bias);
}

TEST_CASE("small and large C") {
  const Data data = oracle::clouds(600, 15, 4);
  for (const double cost : {1e-4, 1e-2, 100.0}) check_agreement(data, cost, 1);
}

TEST_CASE("more columns than rows") {
  check_agreement(oracle::clouds(120, 400, 5), 1, 1);
  const Data wide = oracle::clouds(80, 3000, 4);
  for (const double cost : {1e-4, 1e-2}) check_agreement(wide, cost, 1);
  // Here LIBLINEAR ends above the optimum, which our bound proves.
  CHECK(linear_svm(wide, 10, 1, 1e-7).objective <=
        liblinear_objective(wide, 10, 1, 1e-8) * (1 + 1e-6));
  check_agreement(oracle::clouds(100, 800, 2, 1e-3), 1, 0);
}

TEST_CASE("more columns than rows, every row given twice") {
  const Data once = oracle::clouds(60, 500, 3);
  Data data = once;
  data.values.values.insert(data.values.values.end(), once.values.values.begin(),
                            once.values.values.end());
  data.values.rows = 120;
  data.labels.insert(data.labels.end(), once.labels.begin(), once.labels.end());
  check_agreement(data, 1, 1);
}

TEST_CASE("many rows, few columns") { check_agreement(oracle::clouds(20000, 5, 3), 1, 1); }

TEST_CASE("columns of very different scale") {
  check_agreement(oracle::clouds(1000, 20, 4, 1e-3), 1, 1);
  check_agreement(oracle::clouds(1000, 20, 4, 1e3), 1, 1);
}

TEST_CASE("constant and empty columns") {
  Data data = oracle::clouds(1000, 12, 4);
  for (std::size_t i = 0; i < 1000; ++i) {
    data.values.values[i * 12 + 3] = 255;
    data.values.values[i * 12 + 7] = 0;
  }
  check_agreement(data, 1, 1);
}

TEST_CASE("USPS: the optimum of LIBLINEAR at a small eps, the same bits with one and two threads") {
  const auto data = oracle::usps("zip.train.gz");
  if (!data) return;
  const Machine found = linear_svm(*data, 1, 0, 1e-6);
  const double expected = liblinear_objective(*data, 1, 0, 1e-4);
  CHECK(found.certificate == "converged");
  CHECK(found.objective <= expected * (1 + 1e-5));
  CHECK(found.objective == doctest::Approx(1608.44).epsilon(1e-4));
  CHECK(linear_svm(*data, 1, 0, 1e-6, 1).scores == found.scores);
}

}  // namespace linear_svm_oracle_test
