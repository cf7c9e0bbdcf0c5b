// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "layout_testing.hpp"
#include "saved_bits_testing.hpp"
#include "semblance/component_testing.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/regressor.hpp"

/// Helpers for tests of solvers that predict numbers.
namespace semblance::common::testing {

using namespace semblance::testing;

struct NumberData {
  FloatMatrix values;
  std::vector<double> targets;  ///< rows x names
  std::vector<std::string> names;
  std::vector<double> weights = {};

  std::size_t rows() const { return values.rows; }
  double target(std::size_t row, std::size_t k) const { return targets[row * names.size() + k]; }
};

inline TrainingSet training_set(const Rows& rows, const Layout& layout,
                                const std::vector<std::int32_t>& labels, const NumberData& data) {
  TrainingSet set{rows, layout, labels, {}};
  set.weights = data.weights;
  set.targets = data.targets;
  set.target_names = data.names;
  return set;
}

/// Normally distributed values, and targets that are noisy linear functions of them.
inline NumberData linear_numbers(std::size_t rows, std::size_t cols, std::size_t targets,
                                 std::uint64_t seed = 1) {
  Random random(seed);
  NumberData data{FloatMatrix(rows, cols), std::vector<double>(rows * targets), {}};
  for (std::size_t k = 0; k < targets; ++k) data.names.push_back("target " + std::to_string(k));
  std::vector<double> weights(cols * targets);
  for (double& w : weights) w = random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] = static_cast<float>(random.normal());
    for (std::size_t k = 0; k < targets; ++k) {
      double y = 3.0 + static_cast<double>(k) + random.normal();
      for (std::size_t j = 0; j < cols; ++j)
        y += weights[k * cols + j] * double{data.values.values[i * cols + j]};
      data.targets[i * targets + k] = y;
    }
  }
  return data;
}

/// The data without one row.
inline NumberData without_row(const NumberData& data, std::size_t left_out) {
  NumberData others{FloatMatrix(data.rows() - 1, data.values.cols), {}, data.names};
  for (std::size_t i = 0, to = 0; i < data.rows(); ++i) {
    if (i == left_out) continue;
    copy_rows(data.values.view().rows_range(i, 1), others.values.view().rows_range(to++, 1));
    for (std::size_t k = 0; k < data.names.size(); ++k) others.targets.push_back(data.target(i, k));
    if (!data.weights.empty()) others.weights.push_back(data.weights[i]);
  }
  return others;
}

/// A solver made by its id, and what it reported.
struct TrainedRegressor {
  std::unique_ptr<Regressor> solver;
  MemoryReport report;
};

inline TrainedRegressor train_regressor(std::string_view id, const NumberData& data,
                                        Context& context, const Parameters& parameters = {},
                                        const Parts& parts = {}) {
  TrainedRegressor trained{make_component<Regressor>(id, parameters, parts), {}};
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(data.rows(), -1);
  trained.solver->bind(layout);
  trained.solver->train(training_set(rows, layout, labels, data), trained.report, context);
  return trained;
}

/// rows x targets.
inline FloatMatrix estimates(const Regressor& solver, const FloatMatrix& values,
                             std::size_t targets) {
  TestContext context;
  FloatMatrix out(values.rows, targets);
  solver.apply(values.view(), out.view(), context);
  return out;
}

/// The root mean squared error of samples estimated by fits to all other samples, by weight.
inline double plain_leave_one_out_rmse(std::string_view id, const NumberData& data,
                                       const Parameters& parameters, const Parts& parts = {}) {
  TestContext context;
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const double weight = data.weights.empty() ? 1 : data.weights[i];
    if (weight == 0) continue;
    const auto trained = train_regressor(id, without_row(data, i), context, parameters, parts);
    FloatMatrix row(1, data.values.cols);
    copy_rows(data.values.view().rows_range(i, 1), row.view());
    const FloatMatrix estimate = estimates(*trained.solver, row, data.names.size());
    total += weight * static_cast<double>(data.names.size());
    for (std::size_t k = 0; k < data.names.size(); ++k) {
      const double error = data.target(i, k) - double{estimate.values[k]};
      squares += weight * error * error;
    }
  }
  return std::sqrt(squares / total);
}

/// The message of the Error that training throws, or an empty one.
inline std::string regression_error(std::string_view id, const NumberData& data,
                                    const Parameters& parameters = {}, const Parts& parts = {},
                                    std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  try {
    train_regressor(id, data, context, parameters, parts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace semblance::common::testing
