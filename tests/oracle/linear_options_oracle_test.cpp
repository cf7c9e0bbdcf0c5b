// SPDX-License-Identifier: MIT
// The l1-regularized and Crammer and Singer's machine of linear_svm, and class weights, against
// LIBLINEAR at a small eps.
#include <doctest/doctest.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "liblinear_oracle.hpp"
#include "semblance/class_weights_testing.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/solver.hpp"

namespace linear_options_oracle_test {

using namespace semblance;
using oracle::Data;
using oracle::Weights;

namespace {

struct Setting {
  double cost = 1;
  double bias = 1;
  std::vector<double> class_weights = {};

  double cost_of(std::int32_t label) const {
    return class_weights.empty() ? cost : cost * class_weights[static_cast<std::size_t>(label)];
  }
};

/// The squared hinge losses of all vectors, each for a class against the rest.
double squared_hinges(const Data& data, const Weights& weights, const Setting& setting) {
  double sum = 0;
  for (std::size_t v = 0; v < weights.classes.size(); ++v)
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      const double y = data.labels[i] == weights.classes[v] ? 1 : -1;
      const double lost =
          std::max(0.0, 1 - y * oracle::decision(data, i, weights, v, setting.bias));
      sum += setting.cost_of(data.labels[i]) * lost * lost;
    }
  return sum;
}

double l1_objective(const Data& data, const Weights& weights, const Setting& setting) {
  double sum = squared_hinges(data, weights, setting);
  for (const double w : weights.values) sum += std::abs(w);
  return sum;
}

testing::MemoryReport linear_svm(const Data& data, const Setting& setting,
                                 const testing::Parameters& options) {
  testing::Parameters all = {
      {"C", setting.cost},
      {"bias", setting.bias},
      {"center", false},
      {"class_weights", testing::class_weights(data.classes, setting.class_weights)}};
  all.insert(all.end(), options.begin(), options.end());
  auto svm = testing::make_component<Solver>("solver/linear_svm", all);
  testing::TestContext context;
  testing::MemoryReport report;
  const testing::MemoryRows rows(data.values);
  const Layout layout = Layout::vector(data.values.cols);
  svm->bind(layout);
  svm->train({rows, layout, data.labels, data.classes}, report, context);
  CHECK(report.texts.at("certificate") == "converged");
  return report;
}

void check_l1(const Data& data, const Setting& setting) {
  const Weights weights = oracle::liblinear(data, L1R_L2LOSS_SVC, setting.cost, setting.bias, 1e-7,
                                            setting.class_weights);
  const double expected = l1_objective(data, weights, setting);
  const testing::MemoryReport found =
      linear_svm(data, setting, {{"regularizer", std::string("l1")}, {"tolerance", 1e-7}});
  CHECK(found.numbers.at("objective") == doctest::Approx(expected).epsilon(1e-6));
  CHECK(found.numbers.at("lower_bound") <= expected * (1 + 1e-12));
  const std::size_t zeros =
      static_cast<std::size_t>(std::count(weights.values.begin(), weights.values.end(), 0.0));
  CHECK(found.integers.at("nonzeros") ==
        doctest::Approx(static_cast<double>(weights.values.size() - zeros)).epsilon(0.02));
}

/// Both sides are above the optimum by their tolerances.
void check_crammer_singer(const Data& data, const Setting& setting, double eps = 1e-4) {
  const Weights weights =
      oracle::liblinear(data, MCSVM_CS, setting.cost, setting.bias, eps, setting.class_weights);
  double expected = 0;
  for (const double w : weights.values) expected += w * w / 2;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    double own = 0, rival = -std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < weights.classes.size(); ++v) {
      const double f = oracle::decision(data, i, weights, v, setting.bias);
      if (weights.classes[v] == data.labels[i])
        own = f;
      else
        rival = std::max(rival, f);
    }
    expected += setting.cost_of(data.labels[i]) * std::max(0.0, 1 + rival - own);
  }
  const testing::MemoryReport found = linear_svm(data, setting,
                                                 {{"multiclass", std::string("crammer_singer")},
                                                  {"tolerance", 3e-4},
                                                  {"max_iterations", std::int64_t{10000}}});
  CHECK(found.numbers.at("objective") == doctest::Approx(expected).epsilon(5e-4));
  CHECK(found.numbers.at("lower_bound") <= expected);
}

}  // namespace

TEST_CASE("l1: two and ten classes, with and without a bias") {
  check_l1(oracle::clouds(800, 20, 2), {});
  const Data data = oracle::clouds(1500, 30, 10);
  for (const double bias : {0.0, 1.0, 10.0}) check_l1(data, {1, bias});
}

TEST_CASE("l1: from costs at which all weights are zero to large ones") {
  const Data data = oracle::clouds(600, 40, 4);
  for (const double cost : {1e-5, 1e-3, 1e-2, 1.0, 100.0}) check_l1(data, {cost, 1});
}

TEST_CASE("l1: many columns, few of them used") {
  check_l1(oracle::clouds(300, 400, 5), {0.05, 1});
}

TEST_CASE("l1: columns of different scale") {
  check_l1(oracle::clouds(1000, 20, 4, 1e-2), {});
  check_l1(oracle::clouds(1000, 20, 4, 1e2), {});
}

// Two classes only: with more, LIBLINEAR weights the class against the rest, but not the rest.
TEST_CASE("l1: class weights") { check_l1(oracle::clouds(800, 20, 2), {0.5, 1, {5, 0.2}}); }

TEST_CASE("l2: class weights") {
  const Data data = oracle::clouds(800, 20, 2);
  const Setting setting{0.5, 1, {5, 0.2}};
  const Weights weights = oracle::liblinear(data, L2R_L2LOSS_SVC, setting.cost, setting.bias, 1e-8,
                                            setting.class_weights);
  double expected = squared_hinges(data, weights, setting);
  for (const double w : weights.values) expected += w * w / 2;
  CHECK(linear_svm(data, setting, {{"tolerance", 1e-7}}).numbers.at("objective") ==
        doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("Crammer and Singer: two and ten classes, with and without a bias") {
  check_crammer_singer(oracle::clouds(800, 20, 2), {});
  const Data data = oracle::clouds(1200, 30, 10);
  for (const double bias : {0.0, 1.0}) check_crammer_singer(data, {1, bias});
}

TEST_CASE("Crammer and Singer: small and large C, class weights, more columns than rows") {
  const Data data = oracle::clouds(500, 15, 4);
  for (const double cost : {1e-3, 0.1, 10.0}) check_crammer_singer(data, {cost, 1});
  check_crammer_singer(data, {0.5, 1, {1, 5, 0.2, 2}});
  check_crammer_singer(oracle::clouds(150, 400, 5), {}, 1e-6);
}

}  // namespace linear_options_oracle_test
