// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <cstdio>
#include <string>
#include <vector>

#include "solver_testing.hpp"

/// LIBSVM called by hand, for tests of its regressions and one-class machines.
namespace semblance::libraries::testing {

using namespace common::testing;

inline std::string& printed() {
  static std::string text;
  return text;
}

struct ByHand {
  ByHand(const FloatMatrix& values, std::vector<double> y, svm_parameter settings)
      : targets(std::move(y)) {
    const std::size_t cols = values.cols;
    for (std::size_t i = 0; i < values.rows; ++i) {
      std::vector<svm_node> row;
      for (std::size_t j = 0; j < cols; ++j)
        row.push_back({static_cast<int>(j + 1), values.values[i * cols + j]});
      row.push_back({-1, 0});
      rows.push_back(row);
    }
    for (auto& row : rows) pointers.push_back(row.data());
    const svm_problem p{static_cast<int>(rows.size()), targets.data(), pointers.data()};
    settings.cache_size = 100;
    settings.shrinking = 1;
    printed().clear();
    svm_set_print_string_function([](const char* text) { printed() += text; });
    trained = svm_train(&p, &settings);
    std::sscanf(printed().c_str() + printed().find("obj = "), "obj = %lf", &objective);
  }
  ByHand(const ByHand&) = delete;
  ~ByHand() { svm_free_and_destroy_model(&trained); }

  float value(std::size_t i) const {
    double found = 0;
    svm_predict_values(trained, pointers[i], &found);
    return static_cast<float>(found);
  }

  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> pointers;
  std::vector<double> targets;
  svm_model* trained = nullptr;
  double objective = 0;
};

/// Trains a component on the rows, with its labels or with target numbers.
inline MemoryReport train_learner(Learner& learner, const Data& data,
                                  std::span<const double> targets = {},
                                  std::span<const std::string> names = {}) {
  const MemoryRows rows(data.values);
  const Layout layout = layout_of(data.values);
  TrainingSet set{rows, layout, data.labels, data.classes};
  set.targets = targets;
  set.target_names = names;
  TestContext context;
  MemoryReport report;
  learner.bind(layout);
  learner.train(set, report, context);
  return report;
}

inline std::vector<float> learned_values(const Learner& learner, const FloatMatrix& values,
                                         std::size_t count = 1) {
  TestContext context;
  FloatMatrix out(values.rows, count);
  learner.apply(values.view(), out.view(), context);
  return {out.values.begin(), out.values.end()};
}

inline svm_parameter by_hand_settings(int type, int kernel) {
  svm_parameter settings{};
  settings.svm_type = type;
  settings.kernel_type = kernel;
  settings.gamma = 0.1;
  settings.degree = 2;
  settings.coef0 = 0.5;
  settings.eps = 1e-3;
  settings.C = 2;
  settings.p = 0.2;
  settings.nu = 0.3;
  return settings;
}

/// The parameters of a component with these settings.
inline Parameters kernel_parameters(const std::string& kernel) {
  return {{"kernel", kernel}, {"gamma", 0.1}, {"degree", std::int64_t{2}}, {"coef0", 0.5}};
}

inline const std::vector<std::pair<std::string, int>>& kernels_by_name() {
  static const std::vector<std::pair<std::string, int>> all = {
      {"linear", LINEAR}, {"polynomial", POLY}, {"rbf", RBF}, {"sigmoid", SIGMOID}};
  return all;
}

}  // namespace semblance::libraries::testing
