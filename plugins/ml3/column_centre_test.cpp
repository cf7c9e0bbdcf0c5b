// SPDX-License-Identifier: MIT
// Rows about the means of their columns, in all solvers of this plugin.
#include "column_centre.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "ml3_component_testing.hpp"

namespace column_centre_test {

using namespace semblance;
using namespace semblance::ml3;
using namespace semblance::ml3::testing;

namespace {

struct Machine {
  const char* id;
  Parameters parameters;
};

std::vector<Machine> machines() {
  const std::pair<std::string, std::int64_t> four{"models", 4};
  return {{"solver/ml3", {four, {"iterations", std::int64_t{4}}, {"lambda", 1e-3}}},
          {"solver/linear_svm_sgd", {}},
          {"solver/llsvm", {four}},
          {"solver/occ", {four, {"lambda", 1e-3}}},
          {"solver/occ", {four, {"lambda", 1e-3}, {"bases", std::string("per_class")}}},
          {"solver/lcc", {{"anchors", std::int64_t{12}}, {"lambda", 1e-3}}},
          {"solver/lcc",
           {{"anchors", std::int64_t{12}},
            {"coding", std::string("neighbours")},
            {"neighbours", std::int64_t{5}},
            {"tangents", std::int64_t{2}},
            {"tangent_rows", std::int64_t{30}},
            {"lambda", 1e-3}}},
          {"solver/localized_mkl",
           {{"kernels", std::int64_t{2}}, {"iterations", std::int64_t{3}}, {"C", 0.1}}}};
}

Parameters with(Parameters parameters, const char* name, bool value) {
  parameters.push_back({name, value});
  return parameters;
}

/// Multiples of 1/64, so that levels of up to 100,000 are added without rounding.
Data grid(std::size_t rows, std::size_t cols, std::size_t classes) {
  Data data = clouds(rows, cols, classes);
  for (float& x : data.values.values) x = std::round(64 * x) / 64;
  return data;
}

Data moved(Data data, std::span<const float> levels) {
  for (std::size_t i = 0; i < data.values.values.size(); ++i)
    data.values.values[i] += levels[i % data.values.cols % levels.size()];
  return data;
}

/// The means by a plain loop.
std::vector<double> plain_means(const Data& data) {
  std::vector<double> sums(data.values.cols);
  double all = 0;
  for (std::size_t i = 0; i < data.values.rows; ++i) {
    const double weight = data.weights.empty() ? 1 : data.weights[i];
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += weight * double{data.values.view().row(i)[k]};
    all += weight;
  }
  for (double& sum : sums) sum /= all;
  return sums;
}

/// The largest difference of scores, relative to the largest score.
double apart(const FloatMatrix& a, const FloatMatrix& b) {
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    most = std::max(most, double{std::abs(a.values[i])});
    difference = std::max(difference, std::abs(double{a.values[i]} - double{b.values[i]}));
  }
  return difference / most;
}

}  // namespace

TEST_CASE("the level of a column is no part of an answer") {
  const Data data = grid(240, 6, 3);
  const std::vector<std::vector<float>> all_levels{
      {10}, {1000}, {-100000}, {100000, 0, -1000, 10, 30000}};
  for (const auto& [id, parameters] : machines()) {
    CAPTURE(id);
    TestContext context;
    const auto here = train(id, data, context, parameters);
    const FloatMatrix wanted = scores(*here.solver, data);
    for (const auto& levels : all_levels) {
      CAPTURE(levels[0]);
      const Data there = moved(data, levels);
      CHECK(apart(wanted, scores(*train(id, there, context, parameters).solver, there)) < 1e-3);
    }
  }
}

TEST_CASE("a machine about the means is that of rows from which they were subtracted") {
  const Data data = moved(grid(240, 6, 3), std::array{3.0F, -20.0F, 0.5F});
  Data by_hand = data;
  const std::vector<double> means = plain_means(data);
  for (std::size_t i = 0; i < data.values.values.size(); ++i)
    by_hand.values.values[i] = static_cast<float>(double{data.values.values[i]} - means[i % 6]);
  for (const auto& [id, parameters] : machines()) {
    CAPTURE(id);
    TestContext context;
    const auto as_given = with(parameters, "center", false);
    const auto about_means = train(id, data, context, parameters),
               plain = train(id, by_hand, context, as_given);
    CHECK(about_means.report.numbers.at("objective") ==
          doctest::Approx(plain.report.numbers.at("objective")).epsilon(1e-4));
    CHECK(apart(scores(*plain.solver, by_hand), scores(*about_means.solver, data)) < 1e-3);
    // Without it the level counts, except where weights sum to 1.
    if (parameters.size() > 1 && parameters[1].first == "coding") continue;
    const auto raw = train(id, data, context, as_given);
    CHECK(apart(scores(*raw.solver, data), scores(*about_means.solver, data)) > 1e-2);
  }
}

TEST_CASE("a model keeps its centre; one without is loaded as before there were centres") {
  const Data data = moved(grid(240, 6, 3), std::array{7.0F, -20.0F});
  for (const auto& [id, parameters] : machines())
    for (const bool center : {true, false}) {
      CAPTURE(id);
      TestContext context;
      const auto trained = train(id, data, context, with(parameters, "center", center));
      check_saved_and_alone(id, *trained.solver, data);
      MemoryState state;
      trained.solver->save(state);
      if (center) {
        const auto centre = state.doubles("centre"), means = plain_means(data);
        for (std::size_t k = 0; k < 6; ++k)
          CHECK(centre[k] == doctest::Approx(means[k]).epsilon(1e-12));
        CHECK_THROWS_AS(state.integer("inputs"), Error);
      } else {
        CHECK(state.integer("inputs") == 6);
        CHECK_THROWS_AS(state.doubles("centre"), Error);
      }
    }
}

TEST_CASE("the means count rows by their weights") {
  Data data = grid(150, 6, 3);
  for (std::size_t i = 0; i < 150; ++i) data.weights.push_back(double(i * 7 % 11 % 4));
  const std::vector<double> weighted = plain_means(data),
                            repeated = plain_means(repeated_by_weight(data));
  for (const auto& [id, parameters] : machines()) {
    CAPTURE(id);
    TestContext context;
    MemoryState state;
    train(id, data, context, parameters).solver->save(state);
    const std::vector<double> centre = state.doubles("centre");
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(centre[k] == doctest::Approx(weighted[k]).epsilon(1e-12));
      CHECK(centre[k] == doctest::Approx(repeated[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("rows with a background, at a level") {
  Points points = points_on_background(700, 40, 3);
  for (float& x : points.values.values) x = std::round(64 * x) / 64;
  const Data data{points.values, points.labels, {"a", "b", "c"}};
  for (const auto& [id, parameters] : machines()) {
    if (std::string(id) == "solver/localized_mkl") continue;  // it takes all values
    CAPTURE(id);
    TestContext context;
    const FloatMatrix wanted = scores(*train(id, data, context, parameters).solver, data);
    const Data there = moved(data, std::array{1000.0F, -30000.0F, 10.0F});
    CHECK(apart(wanted, scores(*train(id, there, context, parameters).solver, there)) < 2e-2);
  }
}

TEST_CASE("constant columns, three rows, and one row of each class") {
  Data constant = grid(90, 4, 3);
  for (std::size_t i = 0; i < 90; ++i) constant.values.values[4 * i + 2] = 4096.1F;
  Data three{FloatMatrix(3, 2), {0, 1, 1}, {"a", "b"}};
  three.values.values = {1000, 1000, 1003, 1000, 1003, 1004};
  Data singles{FloatMatrix(4, 3), {0, 1, 2, 3}, {"a", "b", "c", "d"}};
  singles.values.values = {1e5F, 0, 2, 1e5F + 1, 3, 1, 1e5F + 2, 5, 9, 1e5F + 7, 1, 0};
  for (const auto& [id, parameters] : machines())
    for (const Data& data : {constant, three, singles}) {
      CAPTURE(id);
      CAPTURE(data.values.rows);
      TestContext context;
      const std::string error = training_error(id, data, parameters);
      if (!error.empty()) {
        // As many centres as models, and neighbours for tangents, need as many rows.
        CHECK(error.find(" training rows") != std::string::npos);
        CHECK(data.values.rows < 30);
        continue;
      }
      const auto trained = train(id, data, context, parameters);
      const FloatMatrix found = scores(*trained.solver, data);
      for (const float score : found.values) REQUIRE(std::isfinite(score));
      if (data.values.rows == 90) CHECK(error_rate(*trained.solver, data) < 0.5);
    }
}

}  // namespace column_centre_test
