// SPDX-License-Identifier: MIT
#include "liblinear_oracle.hpp"

#include <linear.h>

#include <numeric>

namespace semblance::oracle {

Weights liblinear(const Data& data, int type, double cost, double bias, double eps,
                  const std::vector<double>& class_weights) {
  const std::size_t cols = data.values.cols;
  std::vector<std::vector<feature_node>> rows;
  std::vector<feature_node*> pointers;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    std::vector<feature_node> row;
    for (std::size_t j = 0; j < cols; ++j)
      row.push_back({static_cast<int>(j + 1), data.values.values[i * cols + j]});
    if (bias > 0) row.push_back({static_cast<int>(cols + 1), bias});
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
  }
  for (auto& row : rows) pointers.push_back(row.data());
  std::vector<double> labels(data.labels.begin(), data.labels.end());
  std::vector<double> factors = class_weights;
  std::vector<int> weighted(factors.size());
  std::iota(weighted.begin(), weighted.end(), 0);
  const int features = static_cast<int>(cols + (bias > 0 ? 1 : 0));
  const problem p{static_cast<int>(rows.size()), features, labels.data(), pointers.data(),
                  bias > 0 ? bias : -1};
  const parameter settings{
      type,           eps, cost,   static_cast<int>(factors.size()), weighted.data(),
      factors.data(), 0.1, nullptr};
  set_print_string_function([](const char*) {});
  model* trained = ::train(&p, &settings);
  const std::size_t stored = data.classes.size() == 2 && type != MCSVM_CS ? 1 : data.classes.size();
  Weights weights{static_cast<std::size_t>(features), {}, {}};
  for (std::size_t s = 0; s < stored; ++s) {
    weights.classes.push_back(trained->label[s]);
    for (std::size_t j = 0; j < weights.length; ++j)
      weights.values.push_back(trained->w[j * stored + s]);
  }
  free_and_destroy_model(&trained);
  return weights;
}

double decision(const Data& data, std::size_t i, const Weights& weights, std::size_t vector,
                double bias) {
  const std::size_t cols = data.values.cols;
  double f = bias > 0 ? weights.at(vector, cols) * bias : 0;
  for (std::size_t j = 0; j < cols; ++j)
    f += weights.at(vector, j) * data.values.values[i * cols + j];
  return f;
}

}  // namespace semblance::oracle
