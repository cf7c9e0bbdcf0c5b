// SPDX-License-Identifier: MIT
#include "linear_regression.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "about_means.hpp"
#include "independent_problems.hpp"
#include "inner_context.hpp"
#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"
#include "training_checks.hpp"
#include "used_columns.hpp"

namespace semblance::linear {
namespace {

/// Target numbers minus a constant each, in a common unit in which the largest is about 1: their
/// size and offset then cost no digits, and can overflow nothing. The unit is a power of 2, so that
/// conversion is exact.
struct ScaledTargets {
  std::vector<double> values;   ///< rows x problems
  std::vector<double> centres;  ///< one per problem
  double unit = 1;
};

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

/// The numbers of a regression with one problem per target number or, with quantiles, one for each
/// of them. `centred`: subtracts the weighted mean or quantile of each target number, else nothing.
/// `weights`: of the rows; empty: 1 each.
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

/// Converts a solution for values in this unit to the unit of the target numbers.
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

/// The weights of the rows of a regression, empty if all are 1. Throws Error unless there is one
/// per row, all are finite and not negative, and some are above 0.
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

}  // namespace

void LinearRegression::bind_samples(const Layout& input) {
  if (input.size() == 0) throw Error("samples without values cannot predict numbers");
  sparse_ = input.kind == LayoutKind::sparse;
}

void LinearRegression::load_model(const StateReader& state) {
  model_ = LinearModel::load(state);
  if (sparse_) model_.take_sparse_rows();
}

/// Without the targets themselves.
Regression LinearRegression::regression(const TrainingSet& training, const Loss& loss,
                                        double unit) const {
  Regression made;
  made.epsilon = loss.epsilon / unit;
  const bool several = loss.quantiles.size() > 1;
  for (const std::string& name : training.target_names) {
    for (const double q : loss.quantiles) {
      made.names.push_back(name + (several ? ", quantile " + to_text(Value(q)) : ""));
      made.slopes.push_back({q, 1 - q});
    }
    if (!loss.quantiles.empty()) continue;
    made.names.push_back(name);
    if (std::isfinite(loss.slopes.below)) made.slopes.push_back(loss.slopes);
  }
  made.problems = made.names.size();
  return made;
}

void LinearRegression::learn(const TrainingSet& given, const Loss& loss, Report& report,
                             Context& outer) {
  const auto begin = std::chrono::steady_clock::now();
  common::check_targets(given);
  common::check_finite(given.rows, outer);
  const common::UsedColumns used(given, outer);
  common::WithMemory context(outer, common::left_of(outer.memory_budget(), used.bytes()));
  const TrainingSet& training = used.training();
  std::vector<double> weights = regression_weights(training);
  ScaledTargets targets = scaled_targets(training, weights, center_ && bias_ != 0, loss.quantiles);
  Regression regression = this->regression(training, loss, targets.unit);
  regression.targets = std::move(targets.values);
  // The unit of a squared loss does not matter.
  const double cost = regression.squared() ? cost_ : cost_ / targets.unit;
  const LinearTask task{training,
                        {cost},
                        std::move(weights),
                        bias_,
                        tolerance_,
                        static_cast<std::size_t>(max_iterations_),
                        std::move(regression),
                        center_ && bias_ != 0};
  const auto method = [](const LinearTask& all, Context& own) {
    return train_independent_problems(all, Regularizer::l2, own);
  };
  Solution solution = std::move(train_about_means(task, method, context).front());
  convert_from(targets.unit, solution);
  model_ = LinearModel(solution.weights, used.columns(), task.regression.problems, bias_);
  model_.add(solution.offsets);
  model_.add(targets.centres);
  if (sparse_) model_.take_sparse_rows();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  report.number("train_seconds", seconds.count());
  report_solution(solution, task, report);
}

}  // namespace semblance::linear
