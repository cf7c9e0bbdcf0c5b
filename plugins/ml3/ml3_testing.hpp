// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "latent/cccp.hpp"
#include "semblance/testing.hpp"

/// Helpers for tests of the methods.
namespace semblance::ml3::testing {

struct Points {
  FloatMatrix values;
  std::vector<std::int32_t> labels;
};

inline Points random_points(std::size_t rows, std::size_t cols, std::size_t classes,
                            std::uint64_t seed = 1) {
  Random random(seed);
  Points points{FloatMatrix(rows, cols), std::vector<std::int32_t>(rows)};
  for (float& x : points.values.values) x = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < rows; ++i) {
    points.labels[i] = static_cast<std::int32_t>(i % classes);
    points.values.values[i * cols + i % classes % cols] += 1.5f;
  }
  return points;
}

/// The same, but three quarters of the values, other ones in each row, are 1.5, 0, -1.5, 1.5 and so
/// on by columns.
inline Points points_on_background(std::size_t rows, std::size_t cols, std::size_t classes,
                                   std::uint64_t seed = 1) {
  Points points = random_points(rows, cols, classes, seed);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < cols; ++k)
      if ((i / classes + k) % 4 != 0)
        points.values.values[i * cols + k] = 1.5F * (1.0F - static_cast<float>(k % 3));
  return points;
}

inline Points xor_points(std::size_t rows, std::uint64_t seed = 1) {
  Random random(seed);
  Points points{FloatMatrix(rows, 2), std::vector<std::int32_t>(rows)};
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    points.values.values[2 * i] = static_cast<float>(x);
    points.values.values[2 * i + 1] = static_cast<float>(y);
    points.labels[i] = x * y > 0 ? 1 : 0;
  }
  return points;
}

inline Problem problem_of(const Points& points, std::size_t classes, std::size_t models,
                          double bias = 1) {
  return {points.values.view(), points.labels, classes, models, bias};
}

/// No threads, no stop.
inline Surroundings plain_surroundings() {
  static semblance::testing::TestContext context(1);
  return {context};
}

inline std::vector<std::uint32_t> in_order(std::size_t rows) {
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

/// The same rows in a form whose products need only the differences from their background.
inline Problem on_background(Problem problem) {
  problem.listed = ListedRows::make(problem, 1e12, plain_surroundings().context);
  return problem;
}

/// A matrix in double precision, for reference computations.
using Doubles = std::vector<std::vector<double>>;

inline Doubles doubles(const ModelMatrix& w) {
  Doubles result(w.rows(), std::vector<double>(w.cols()));
  for (std::size_t r = 0; r < w.rows(); ++r)
    for (std::size_t k = 0; k < w.cols(); ++k) result[r][k] = double{w.row(r)[k]};
  return result;
}

inline ModelMatrix floats(const Doubles& w) {
  ModelMatrix result(w.size(), w[0].size());
  for (std::size_t r = 0; r < w.size(); ++r)
    for (std::size_t k = 0; k < w[0].size(); ++k) result.row(r)[k] = static_cast<float>(w[r][k]);
  return result;
}

inline ModelMatrix random_models(const Problem& problem, std::uint64_t seed, double scale = 0.5) {
  Random random(seed);
  Doubles w(problem.model_rows(), std::vector<double>(problem.inputs()));
  for (auto& row : w)
    for (double& x : row) x = scale * random.normal();
  return floats(w);
}

inline double squared_norm(const Doubles& w) {
  double sum = 0;
  for (const auto& row : w)
    for (const double x : row) sum += x * x;
  return sum;
}

/// |a - b| / |b|.
inline double distance(const Doubles& a, const Doubles& b) {
  Doubles difference = a;
  for (std::size_t r = 0; r < a.size(); ++r)
    for (std::size_t k = 0; k < a[r].size(); ++k) difference[r][k] -= b[r][k];
  return std::sqrt(squared_norm(difference) / squared_norm(b));
}

/// Sample i with its constant.
inline std::vector<double> sample(const Problem& problem, std::size_t i) {
  const auto row = problem.rows.row_span(i);
  std::vector<double> x(row.begin(), row.end());
  if (problem.bias != 0) x.push_back(problem.bias);
  return x;
}

/// The products of a class's models with x.
inline std::vector<float> products(const Problem& problem, const Doubles& w, std::size_t label,
                                   const std::vector<double>& x) {
  std::vector<float> z(problem.models);
  for (std::size_t j = 0; j < problem.models; ++j)
    z[j] = static_cast<float>(
        std::inner_product(x.begin(), x.end(), w[label * problem.models + j].begin(), 0.0));
  return z;
}

/// The loss (13b) of a sample with its own class's weights and its subgradient, multiplied by
/// `factor` and added to `gradient` unless that is null.
inline double linearised_loss(const Problem& problem, const PowerBall& ball, const Doubles& w,
                              const FloatMatrix& own, std::size_t i, Doubles* gradient,
                              double factor) {
  const auto x = sample(problem, i);
  const std::size_t m = problem.models;
  const auto label = static_cast<std::size_t>(problem.labels[i]);
  double rival_score = -1;
  std::size_t rival = 0;
  for (std::size_t y = 0; y < problem.classes; ++y) {
    const double score = double{ball.score(products(problem, w, y, x))};
    if (y == label || score <= rival_score) continue;
    rival_score = score;
    rival = y;
  }
  const auto z = products(problem, w, label, x);
  double loss = 1 + rival_score;
  for (std::size_t j = 0; j < m; ++j) loss -= double{own.values[i * m + j]} * double{z[j]};
  if (loss <= 0) return 0;
  if (gradient == nullptr) return loss;
  std::vector<float> beta(m);
  ball.weights(products(problem, w, rival, x), beta);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t k = 0; k < x.size(); ++k) {
      (*gradient)[rival * m + j][k] += factor * double{beta[j]} * x[k];
      (*gradient)[label * m + j][k] -= factor * double{own.values[i * m + j]} * x[k];
    }
  return loss;
}

}  // namespace semblance::ml3::testing
