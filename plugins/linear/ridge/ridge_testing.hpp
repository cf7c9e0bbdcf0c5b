// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "regression_testing.hpp"

/// Ridge regression by its definition, for tests.
namespace semblance::linear::testing {

using namespace common::testing;
using common::testing::estimates;  // beside svr_testing.hpp's, which hides it otherwise

inline constexpr const char* ridge = "solver/ridge";

using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// Weights and intercept of one target, and the objective of all.
struct Plain {
  Exact weights;     // columns x targets
  Exact intercepts;  // 1 x targets
  long double objective = 0;
};

/// The normal equations of the augmented samples sqrt(w) (x, 1) in 64-bit mantissas, about the
/// first sample.
inline Plain solve_plainly(const NumberData& data, double penalty) {
  const auto n = static_cast<Eigen::Index>(data.rows()),
             d = static_cast<Eigen::Index>(data.values.cols),
             m = static_cast<Eigen::Index>(data.names.size());
  const auto value = [&](Eigen::Index i, Eigen::Index j) {
    return static_cast<long double>(data.values.values[static_cast<std::size_t>(i * d + j)]);
  };
  const auto y = [&](Eigen::Index i, Eigen::Index k) {
    return static_cast<long double>(data.targets[static_cast<std::size_t>(i * m + k)]);
  };
  Exact x = Exact::Zero(n + d, d + 1), t = Exact::Zero(n + d, m);
  for (Eigen::Index i = 0; i < n; ++i) {
    const long double root = std::sqrt(
        data.weights.empty() ? 1.0L
                             : static_cast<long double>(data.weights[static_cast<std::size_t>(i)]));
    for (Eigen::Index j = 0; j < d; ++j) x(i, j) = root * (value(i, j) - value(0, j));
    x(i, d) = root;
    for (Eigen::Index k = 0; k < m; ++k) t(i, k) = root * (y(i, k) - y(0, k));
  }
  for (Eigen::Index j = 0; j < d; ++j) x(n + j, j) = std::sqrt(static_cast<long double>(penalty));
  const Exact solved = x.colPivHouseholderQr().solve(t);
  Plain plain{solved.topRows(d), solved.bottomRows(1), (t - x * solved).squaredNorm()};
  for (Eigen::Index k = 0; k < m; ++k) {
    plain.intercepts(0, k) += y(0, k);
    for (Eigen::Index j = 0; j < d; ++j)
      plain.intercepts(0, k) -= plain.weights(j, k) * value(0, j);
  }
  return plain;
}

/// Weights of a trained solver in double, from its state.
struct Learned {
  std::vector<double> weights, intercepts;
};

inline Learned learned(const Regressor& solver) {
  MemoryState state;
  solver.save(state);
  return {state.doubles("weights"), state.doubles("offsets")};
}

/// Checks weights, relative to the largest of their target in its column's units, and objective.
inline void check_against_plain(const NumberData& data, double penalty, double digits) {
  TestContext context;
  const auto trained = train_regressor(ridge, data, context, {{"penalty", penalty}});
  CHECK(trained.report.texts.at("certificate") == "converged");
  const Plain plain = solve_plainly(data, penalty);
  const auto objective = static_cast<double>(plain.objective);
  CHECK(std::abs(trained.report.numbers.at("objective") - objective) <= digits * objective);
  const Learned found = learned(*trained.solver);
  const std::size_t d = data.values.cols;
  for (std::size_t k = 0; k < data.names.size(); ++k)
    for (std::size_t i = 0; i < data.rows(); ++i) {
      long double expected = plain.intercepts(0, static_cast<Eigen::Index>(k)), scale = 0;
      double estimate = found.intercepts[k];
      for (std::size_t j = 0; j < d; ++j) {
        const float x = data.values.values[i * d + j];
        expected += plain.weights(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)) *
                    static_cast<long double>(x);
        estimate += found.weights[k * d + j] * double{x};
      }
      for (std::size_t r = 0; r < data.rows(); ++r)
        scale = std::max(scale, std::abs(static_cast<long double>(data.target(r, k)) -
                                         static_cast<long double>(data.target(0, k))));
      CHECK(std::abs(static_cast<double>(expected - static_cast<long double>(estimate))) <=
            digits * static_cast<double>(scale));
    }
}

inline void weigh(NumberData& data) {
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.weights.push_back(static_cast<double>((i * 7 + 2) % 4));
}

inline void check_values(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t j = 0; j < found.size(); ++j)
    CHECK(found[j] == doctest::Approx(expected[j]).epsilon(1e-10));
}

/// Columns as they come: a year, a coordinate, a share, a constant, a copy of the first, and a sum.
inline NumberData awkward_numbers(std::size_t rows, double target_offset, double target_scale) {
  Random random(4);
  NumberData data{FloatMatrix(rows, 6), {}, {"price"}};
  for (std::size_t i = 0; i < rows; ++i) {
    float* x = data.values.values.data() + i * 6;
    x[0] = static_cast<float>(1990 + i % 31);
    x[1] = static_cast<float>(5e5 + 10 * random.normal());
    x[2] = static_cast<float>(1e-6 * random.normal());
    x[3] = 0.1F;
    x[4] = x[0];
    x[5] = x[0] + 2;
    data.targets.push_back(target_offset +
                           target_scale * (0.1 * double{x[0] - 2000} + 0.3 * (double{x[1]} - 5e5) +
                                           1e6 * double{x[2]} + random.normal()));
  }
  return data;
}

}  // namespace semblance::linear::testing
