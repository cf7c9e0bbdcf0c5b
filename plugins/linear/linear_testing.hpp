// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "semblance/ranks_testing.hpp"
#include "solver_testing.hpp"

/// Helpers for tests of the linear SVM.
namespace semblance::linear::testing {

using namespace common::testing;

/// Columns of scales from 1 to 1e4: conjugate gradients are slow, so exact steps follow.
inline Data stiff(std::size_t rows, std::size_t cols, std::size_t classes) {
  Data data = clouds(rows, cols, classes);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] *= std::pow(10.0F, static_cast<float>(j % 5));
  return data;
}

/// Similarities of points on a line to many of them, of a size as without normalization: exact
/// steps follow.
inline Data wide_map(std::size_t rows, std::size_t cols) {
  Random random(3);
  Data data{FloatMatrix(rows, cols), {}, {"a", "b", "c"}};
  std::vector<double> points(rows);
  for (double& x : points) x = 60 * random.uniform();
  for (std::size_t i = 0; i < rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(points[i] + 0.3 * random.normal() + 3) % 3);
    for (std::size_t j = 0; j < cols; ++j) {
      const double way = points[i] - points[j];
      data.values.values[i * cols + j] = static_cast<float>(20 * std::exp(-way * way));
    }
  }
  return data;
}

/// Everything learned and reported, except the time.
inline std::string outcome(const TrainedSolver& trained) {
  return saved_bits(*trained.solver) + semblance::testing::bits_of(trained.report);
}

inline TrainedSolver train_on(const Rows& rows, const Data& data, Context& context,
                              const Parameters& parameters) {
  TrainedSolver trained{make_component<Solver>("solver/linear_svm", parameters), {}};
  const Layout layout = Layout::vector(data.values.cols);
  trained.solver->bind(layout);
  trained.solver->train(training_set(rows, layout, data), trained.report, context);
  return trained;
}

/// Whether a training says this.
inline bool says(const Data& data, const Parameters& parameters, const std::string& text) {
  TestContext context;
  train("solver/linear_svm", data, context, parameters);
  return std::ranges::any_of(
      context.lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

inline bool took_exact_steps(const Data& data, const Parameters& parameters) {
  return says(data, parameters, "continues with exact steps");
}

}  // namespace semblance::linear::testing
