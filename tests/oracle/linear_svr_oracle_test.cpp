// SPDX-License-Identifier: MIT
// linear_svr against LIBLINEAR's -s 11, 12 and 13, run to a small eps, on the same data.
#include <doctest/doctest.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/regressor.hpp"
#include "semblance/sparse_testing.hpp"

namespace linear_svr_oracle_test {

using namespace semblance;

namespace {

struct Samples {
  FloatMatrix values;
  std::vector<double> targets;
};

/// A linear function of some columns, with noise and outliers. `share`: of values that are not 0.
Samples samples(std::size_t rows, std::size_t cols, double share, std::uint64_t seed = 1) {
  Random random(seed);
  Samples data{FloatMatrix(rows, cols), std::vector<double>(rows)};
  std::vector<double> slopes(cols);
  for (double& slope : slopes) slope = random.normal() / std::sqrt(share * double(cols));
  for (std::size_t i = 0; i < rows; ++i) {
    double y = 2 + random.normal() * (i % 9 == 4 ? 4 : 0.5);
    for (std::size_t j = 0; j < cols; ++j) {
      if (random.uniform() >= share) continue;
      float& x = data.values.values[i * cols + j];
      x = static_cast<float>(random.normal());
      y += slopes[j] * double{x};
    }
    data.targets[i] = y;
  }
  return data;
}

struct Setting {
  double cost = 1;
  double bias = 1;
  double epsilon = 0.1;
  bool squared = true;
};

bool at_limit = false;  // whether LIBLINEAR has ended at its iteration limit

/// LIBLINEAR's weights, the bias weight last.
std::vector<double> liblinear(const Samples& data, int type, const Setting& setting, double eps) {
  const std::size_t cols = data.values.cols;
  std::vector<std::vector<feature_node>> rows;
  std::vector<feature_node*> pointers;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    std::vector<feature_node> row;
    for (std::size_t j = 0; j < cols; ++j)
      if (const float x = data.values.values[i * cols + j]; x != 0)
        row.push_back({static_cast<int>(j + 1), double{x}});
    if (setting.bias > 0) row.push_back({static_cast<int>(cols + 1), setting.bias});
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  for (auto& row : rows) pointers.push_back(row.data());
  std::vector<double> targets = data.targets;
  const problem p{static_cast<int>(rows.size()),
                  static_cast<int>(cols + (setting.bias > 0 ? 1 : 0)), targets.data(),
                  pointers.data(), setting.bias > 0 ? setting.bias : -1};
  parameter settings{};
  settings.solver_type = type;
  settings.eps = eps;
  settings.C = setting.cost;
  settings.p = setting.epsilon;
  REQUIRE(check_parameter(&p, &settings) == nullptr);
  at_limit = false;
  set_print_string_function([](const char* text) {
    if (std::string_view(text).find("reaching max number") != std::string_view::npos)
      at_limit = true;
  });
  std::srand(1);
  model* trained = train(&p, &settings);
  std::vector<double> w(trained->w, trained->w + p.n);
  free_and_destroy_model(&trained);
  return w;
}

double estimate(const Samples& data, std::size_t i, const std::vector<double>& w, double bias) {
  const std::size_t cols = data.values.cols;
  double f = bias > 0 ? w[cols] * bias : 0;
  for (std::size_t j = 0; j < cols; ++j) f += w[j] * double{data.values.values[i * cols + j]};
  return f;
}

double objective(const Samples& data, const std::vector<double>& w, const Setting& setting) {
  double sum = 0;
  for (const double x : w) sum += x * x / 2;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const double error = std::abs(data.targets[i] - estimate(data, i, w, setting.bias));
    const double lost = std::max(0.0, error - setting.epsilon);
    sum += setting.cost * (setting.squared ? lost * lost : lost);
  }
  return sum;
}

struct Machine {
  double objective = 0;
  std::vector<float> estimates;
};

Machine linear_svr(const Samples& data, const Setting& setting, bool sparse,
                   const std::vector<double>& weights = {}) {
  auto svr = testing::make_component<Regressor>(
      "solver/linear_svr", {{"C", setting.cost},
                            {"bias", setting.bias},
                            {"epsilon", setting.epsilon},
                            {"center", false},
                            {"tolerance", 1e-9},
                            {"loss", std::string(setting.squared ? "squared_epsilon_insensitive"
                                                                 : "epsilon_insensitive")}});
  testing::TestContext context;
  testing::MemoryReport report;
  const FloatMatrix values = sparse ? testing::sparse_of(data.values.view()) : data.values;
  const testing::MemoryRows rows(values);
  const Layout layout =
      sparse ? Layout::sparse(data.values.cols) : Layout::vector(data.values.cols);
  svr->bind(layout);
  const std::vector<std::int32_t> labels(data.targets.size(), -1);
  const std::vector<std::string> names{"y"};
  TrainingSet training{rows, layout, labels, {}};
  training.targets = data.targets;
  training.target_names = names;
  training.weights = weights;
  svr->train(training, report, context);
  CHECK(report.texts.at("certificate") == "converged");
  FloatMatrix out(data.targets.size(), 1);
  svr->apply(values.view(), out.view(), context);
  return {report.numbers.at("objective"), out.values};
}

/// The spread of the targets is about 1.
void check_estimates(const std::vector<float>& found, const Samples& data,
                     const std::vector<double>& w, double bias, double tolerance) {
  for (std::size_t i = 0; i < found.size(); ++i)
    REQUIRE(std::abs(double{found[i]} - estimate(data, i, w, bias)) < tolerance);
}

/// `compared`: the number of results that LIBLINEAR has finished, by its -s.
void check_agreement(const Samples& data, Setting setting, std::map<int, int>& compared) {
  CAPTURE(setting.cost);
  CAPTURE(setting.bias);
  CAPTURE(setting.epsilon);
  for (const int type : {L2R_L2LOSS_SVR, L2R_L2LOSS_SVR_DUAL, L2R_L1LOSS_SVR_DUAL}) {
    CAPTURE(type);
    setting.squared = type != L2R_L1LOSS_SVR_DUAL;
    const std::vector<double> w = liblinear(data, type, setting, 1e-9);
    const double expected = objective(data, w, setting);
    // Its dual descent often does; ours must then be better.
    const bool unfinished = at_limit;
    CHECK((!unfinished || type != L2R_L2LOSS_SVR));
    for (const bool sparse : {false, true}) {
      const Machine found = linear_svr(data, setting, sparse);
      if (unfinished) {
        CHECK(found.objective <= expected * (1 + 1e-9));
        CHECK(found.objective > expected * (1 - 1e-2));
        continue;
      }
      ++compared[type];
      CHECK(found.objective == doctest::Approx(expected).epsilon(1e-6));
      check_estimates(found.estimates, data, w, setting.bias, 2e-3);
    }
  }
}

}  // namespace

TEST_CASE("dense rows: LIBLINEAR's objectives and estimates") {
  const Samples data = samples(600, 12, 1);
  std::map<int, int> compared;
  for (const double cost : {0.01, 1.0})
    for (const double bias : {0.0, 1.0, 10.0})
      for (const double epsilon : {0.0, 0.1, 2.0})
        check_agreement(data, {cost, bias, epsilon}, compared);
  CHECK(compared[L2R_L2LOSS_SVR] == 36);
  CHECK(compared[L2R_L2LOSS_SVR_DUAL] >= 10);
  CHECK(compared[L2R_L1LOSS_SVR_DUAL] >= 10);
}

TEST_CASE("sparse rows of many columns: LIBLINEAR's objectives and estimates") {
  const Samples data = samples(300, 800, 0.03);
  std::map<int, int> compared;
  for (const double cost : {0.1, 1.0}) check_agreement(data, {cost, 1, 0.1}, compared);
  for (const auto& [type, count] : compared) CHECK(count == 4);
}

TEST_CASE("weights of rows are repetitions in LIBLINEAR") {
  const Samples data = samples(250, 8, 1);
  Samples repeated;
  std::vector<double> weights;
  std::vector<float> values;
  for (std::size_t i = 0; i < 250; ++i) {
    weights.push_back(static_cast<double>(i * 7 % 11 % 4));
    for (double u = weights[i]; u > 0; --u) {
      const auto row = data.values.view().row_span(i);
      values.insert(values.end(), row.begin(), row.end());
      repeated.targets.push_back(data.targets[i]);
    }
  }
  repeated.values = FloatMatrix(repeated.targets.size(), 8);
  std::ranges::copy(values, repeated.values.values.begin());
  for (const bool squared : {true, false}) {
    const Setting setting{0.5, 1, 0.2, squared};
    const std::vector<double> w =
        liblinear(repeated, squared ? L2R_L2LOSS_SVR : L2R_L1LOSS_SVR_DUAL, setting, 1e-9);
    const Machine found = linear_svr(data, setting, false, weights);
    CHECK(found.objective == doctest::Approx(objective(repeated, w, setting)).epsilon(1e-6));
    check_estimates(found.estimates, data, w, setting.bias, 2e-3);
  }
}

}  // namespace linear_svr_oracle_test
