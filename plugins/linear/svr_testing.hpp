// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "semblance/ranks_testing.hpp"
#include "semblance/regressor.hpp"
#include "semblance/sparse_testing.hpp"
#include "solver_testing.hpp"

/// Helpers for tests of linear regressions.
namespace semblance::linear::testing {

using namespace common::testing;

/// Samples with numbers to predict.
struct Numbers {
  FloatMatrix values;
  std::vector<double> targets;  ///< rows x names
  std::vector<std::string> names;
  std::vector<double> weights = {};

  std::size_t rows() const { return values.rows; }
  double target(std::size_t row, std::size_t t) const { return targets[row * names.size() + t]; }
};

/// A linear function of normally distributed columns, with noise and some outliers.
inline Numbers noisy_line(std::size_t rows, std::size_t cols, std::size_t targets,
                          std::uint64_t seed = 1) {
  Random random(seed);
  Numbers data{FloatMatrix(rows, cols), std::vector<double>(rows * targets), {}};
  std::vector<double> slopes(cols * targets);
  for (double& slope : slopes) slope = random.normal();
  for (std::size_t t = 0; t < targets; ++t) data.names.push_back("target " + std::to_string(t));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j)
      data.values.values[i * cols + j] = static_cast<float>(random.normal());
    for (std::size_t t = 0; t < targets; ++t) {
      double& y = data.targets[i * targets + t];
      y = static_cast<double>(t) - 0.5 + random.normal() * (i % 10 == 3 ? 5 : 0.5);
      for (std::size_t j = 0; j < cols; ++j)
        y += slopes[t * cols + j] * double{data.values.values[i * cols + j]};
    }
  }
  return data;
}

struct TrainedSvr {
  std::unique_ptr<Regressor> svr;
  MemoryReport report;

  double number(const std::string& name) const { return report.numbers.at(name); }
  std::string certificate() const { return report.texts.at("certificate"); }
};

inline TrainedSvr train_svr_on(const Rows& rows, const Numbers& data, Context& context,
                               const Parameters& parameters = {}) {
  TrainedSvr trained{make_component<Regressor>("solver/linear_svr", parameters), {}};
  const Layout layout = layout_of(data.values);
  const std::vector<std::int32_t> labels(rows.rows(), -1);
  trained.svr->bind(layout);
  TrainingSet set{rows, layout, labels, {}};
  set.targets = data.targets;
  set.target_names = data.names;
  set.weights = data.weights;
  trained.svr->train(set, trained.report, context);
  return trained;
}

inline TrainedSvr train_svr(const Numbers& data, Context& context,
                            const Parameters& parameters = {}) {
  return train_svr_on(MemoryRows(data.values), data, context, parameters);
}

inline FloatMatrix estimates(const Regressor& svr, const Numbers& data) {
  TestContext context;
  FloatMatrix out(data.values.rows, data.names.size());
  svr.apply(data.values.view(), out.view(), context);
  return out;
}

/// The error of a training, or nothing.
inline std::string svr_error(const Numbers& data, const Parameters& parameters = {}) {
  TestContext context;
  try {
    train_svr(data, context, parameters);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The losses, as named in a pipeline, of an error r = t - f.
struct Loss {
  std::string name = "squared_epsilon_insensitive";
  double epsilon = 0;
  double quantile = 0.5;

  double operator()(double r) const {
    if (name == "quantile") return r > 0 ? quantile * r : (quantile - 1) * r;
    const double lost = std::max(0.0, std::abs(r) - epsilon);
    return name == "epsilon_insensitive" ? lost : lost * lost;
  }
  Parameters parameters() const {
    return {{"loss", name}, {"epsilon", epsilon}, {"quantile", quantile}};
  }
};

inline const std::vector<Loss>& all_losses() {
  static const std::vector<Loss> losses = {{"squared_epsilon_insensitive", 0},
                                           {"squared_epsilon_insensitive", 0.3},
                                           {"epsilon_insensitive", 0},
                                           {"epsilon_insensitive", 0.3},
                                           {"quantile", 0, 0.5},
                                           {"quantile", 0, 0.9}};
  return losses;
}

inline Parameters with(Parameters parameters, const Parameters& more) {
  parameters.insert(parameters.end(), more.begin(), more.end());
  return parameters;
}

}  // namespace semblance::linear::testing
