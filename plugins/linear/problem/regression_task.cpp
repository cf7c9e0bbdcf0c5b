// SPDX-License-Identifier: MIT
#include "problem/regression_task.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"

namespace semblance::linear {
namespace {

/// Exact if all numbers are equal.
double weighted_mean(const TrainingSet& training, std::span<const double> weights,
                     std::size_t target) {
  const std::size_t count = training.target_names.size();
  const double first = training.targets[target];
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < training.rows.rows(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    sum += weight * (training.targets[i * count + target] - first);
    total += weight;
  }
  return first + sum / total;
}

/// The smallest number that at least a share `q` of the rows do not exceed.
double weighted_quantile(const TrainingSet& training, std::span<const double> weights,
                         std::size_t target, double q) {
  const std::size_t count = training.target_names.size();
  std::vector<std::pair<double, double>> numbers;
  double total = 0;
  for (std::size_t i = 0; i < training.rows.rows(); ++i) {
    numbers.emplace_back(training.targets[i * count + target], weights.empty() ? 1 : weights[i]);
    total += numbers.back().second;
  }
  std::ranges::sort(numbers);
  double sum = 0;
  for (const auto& [number, weight] : numbers)
    if ((sum += weight) >= q * total && weight > 0) return number;
  return numbers.back().first;
}

}  // namespace

ScaledTargets scaled_targets(const TrainingSet& training, std::span<const double> weights,
                             bool centred, std::span<const double> quantiles) {
  const std::size_t times = std::max<std::size_t>(quantiles.size(), 1);
  const std::size_t count = training.target_names.size() * times;
  ScaledTargets scaled{{}, std::vector<double>(count)};
  for (std::size_t c = 0; centred && c < count; ++c)
    scaled.centres[c] = quantiles.empty()
                            ? weighted_mean(training, weights, c)
                            : weighted_quantile(training, weights, c / times, quantiles[c % times]);
  for (const double target : training.targets)
    scaled.values.insert(scaled.values.end(), times, target);
  double largest = 0;
  for (std::size_t i = 0; i < scaled.values.size(); ++i) {
    scaled.values[i] -= scaled.centres[i % count];
    largest = std::max(largest, std::abs(scaled.values[i]));
  }
  if (largest == 0) return scaled;
  int exponent = 0;
  std::frexp(largest, &exponent);
  scaled.unit = std::ldexp(1.0, exponent);
  for (double& value : scaled.values) value /= scaled.unit;
  return scaled;
}

void convert_from(double unit, Solution& solution) {
  for (std::size_t c = 0; c < solution.weights.count(); ++c)
    for (std::size_t j = 0; j < solution.weights.cols(); ++j) solution.weights.row(c)[j] *= unit;
  for (double& offset : solution.offsets) offset *= unit;
  for (Outcome& outcome : solution.outcomes) {
    outcome.primal *= unit * unit;
    outcome.dual *= unit * unit;
  }
  for (double& objective : solution.objectives) objective *= unit * unit;
}

std::vector<double> regression_weights(const TrainingSet& training) {
  const std::span<const double> weights = training.weights;
  if (weights.empty()) return {};
  if (weights.size() != training.rows.rows())
    throw Error(std::to_string(weights.size()) + " weights for " +
                std::to_string(training.rows.rows()) + " training rows; there must be one per row");
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); sum += weights[i], ++i)
    if (!(weights[i] >= 0) || !std::isfinite(weights[i]))
      throw RowError(RowError::Of::training, i, "the weight of ",
                     " (counted from 0) is " + to_text(Value(weights[i])) +
                         "; weights must be finite, and 0 or more");
  if (sum == 0)
    throw Error("all training rows have the weight 0; give some of them a larger weight");
  if (!std::isfinite(sum))
    throw Error("the weights add up to more than a number can hold; make them smaller");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 1; })) return {};
  return {weights.begin(), weights.end()};
}

}  // namespace semblance::linear
