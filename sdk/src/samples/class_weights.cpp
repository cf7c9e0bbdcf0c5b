// SPDX-License-Identifier: MIT
#include "semblance/class_weights.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/parameters.hpp"
#include "semblance/row_error.hpp"

namespace semblance {
namespace {

std::string some_of(std::span<const std::string> classes) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t c = 0; c < std::min(classes.size(), most); ++c)
    text += (c > 0 ? ", '" : "'") + classes[c] + "'";
  return text + (classes.size() > most ? ", ..." : "");
}

/// The number, or 0 if it is not a number.
double number_in(const NamedValues::mapped_type& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? *number : 0;
}

/// The sum of the weights of each class's samples, of those that train; empty: all do.
std::vector<double> class_sums(const TrainingSet& training, std::span<const char> trains = {}) {
  std::vector<double> sums(training.classes.size());
  for (std::size_t i = 0; i < training.labels.size(); ++i)
    if (trains.empty() || trains[i] != 0)
      sums.at(static_cast<std::size_t>(training.labels[i])) +=
          training.weights.empty() ? 1 : training.weights[i];
  return sums;
}

}  // namespace

ClassWeights::~ClassWeights() = default;

std::vector<std::string> ClassWeights::weighted_classes() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : class_weights_) names.push_back(name);
  return names;
}

void ClassWeights::check_classes(std::span<const std::string> classes) const {
  for (const auto& [name, value] : class_weights_)
    if (std::ranges::find(classes, name) == classes.end())
      throw Error("'class_weights' names the class '" + name + "', but the classes are " +
                  some_of(classes));
}

void ClassWeights::check_class_weights() const {
  if (balanced_ && !class_weights_.empty())
    throw Error("'balanced' and 'class_weights' exclude each other; remove one of them");
  for (const auto& [name, value] : class_weights_)
    if (const double weight = number_in(value); !(weight > 0) || !std::isfinite(weight))
      throw Error("'class_weights." + name + "' must be a number above 0, got " +
                  to_text(Value(NamedValues{{name, value}})));
}

std::vector<double> ClassWeights::class_factors(const TrainingSet& training) const {
  return class_factors(training, {});
}

std::vector<double> ClassWeights::class_factors(const TrainingSet& training,
                                                std::span<const char> trains) const {
  check_weights(training);
  check_classes(training.classes);
  std::vector<double> factors;
  for (const std::string& name : training.classes) {
    const auto given = class_weights_.find(name);
    factors.push_back(given == class_weights_.end() ? 1 : number_in(given->second));
  }
  if (!balanced_) return factors;
  const std::vector<double> sums = class_sums(training, trains);
  double all = 0, present = 0;
  for (const double sum : sums) {
    all += sum;
    present += sum > 0 ? 1 : 0;
  }
  for (std::size_t c = 0; c < sums.size(); ++c)
    factors[c] = sums[c] > 0 ? all / (present * sums[c]) : 1;
  return factors;
}

std::vector<double> ClassWeights::row_weights(const TrainingSet& training) const {
  const auto is_one = [](double weight) { return weight == 1; };
  if (training.weights.empty() && std::ranges::all_of(class_factors(training), is_one)) return {};
  std::vector<double> weights = row_weights(training, {});
  if (std::ranges::all_of(weights, is_one)) weights.clear();
  return weights;
}

std::vector<double> ClassWeights::row_weights(const TrainingSet& training,
                                              std::span<const char> trains) const {
  const std::vector<double> factors = class_factors(training, trains);
  std::vector<double> weights(training.labels.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!trains.empty() && trains[i] == 0) continue;
    weights[i] = factors[static_cast<std::size_t>(training.labels[i])];
    if (!training.weights.empty()) weights[i] *= training.weights[i];
    if (!std::isfinite(weights[i]))
      throw RowError(RowError::Of::training, i, "the weight of ",
                     " (counted from 0) times that of its class is more than a number can hold; "
                     "make them smaller");
  }
  return weights;
}

void check_weights(const TrainingSet& training) {
  if (training.weights.empty()) return;
  if (training.weights.size() != training.labels.size())
    throw Error(std::to_string(training.weights.size()) + " weights for " +
                std::to_string(training.labels.size()) +
                " training rows; there must be one per row");
  for (std::size_t i = 0; i < training.weights.size(); ++i)
    if (const double weight = training.weights[i]; !(weight >= 0) || !std::isfinite(weight))
      throw RowError(RowError::Of::training, i, "the weight of ",
                     " (counted from 0) is " + to_text(Value(weight)) +
                         "; weights must be finite, and 0 or more");
  const std::vector<double> sums = class_sums(training);
  for (std::size_t c = 0; c < sums.size(); ++c)
    if (!(sums[c] > 0) || !std::isfinite(sums[c]))
      throw Error(sums[c] == 0 ? "all training rows of class '" + training.classes[c] +
                                     "' have the weight 0; give some of them a weight, or remove "
                                     "the class"
                               : "the weights of class '" + training.classes[c] +
                                     "' add up to more than a number can hold; make them smaller");
}

}  // namespace semblance
