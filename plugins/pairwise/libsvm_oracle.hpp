// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace semblance::pairwise::testing {

/// LIBSVM's solution for a precomputed kernel matrix.
struct OracleSolution {
  double objective = 0;
  double rho = 0;
  std::size_t vectors = 0;
};

inline std::string& library_text() {
  static std::string text;
  return text;
}

/// C-SVC with bounds `bounds`, each an integer multiple of the least: a row with the bound m C
/// enters m times, which is the same problem.
inline OracleSolution libsvm_objective(
    std::size_t count, const std::function<double(std::size_t, std::size_t)>& kernel,
    const std::vector<int>& labels, const std::vector<double>& bounds, double cost, double eps) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i)
    for (double bound = cost; bound <= bounds[i] * 1.0001; bound += cost) rows.push_back(i);
  const std::size_t n = rows.size();
  std::vector<std::vector<svm_node>> nodes;
  for (std::size_t i = 0; i < n; ++i) nodes.emplace_back(n + 2);
  std::vector<svm_node*> pointers(n);
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    nodes[i][0] = {0, double(i + 1)};
    for (std::size_t j = 0; j < n; ++j) nodes[i][j + 1] = {int(j + 1), kernel(rows[i], rows[j])};
    nodes[i][n + 1] = {-1, 0};
    pointers[i] = nodes[i].data();
    y[i] = labels[rows[i]];
  }
  svm_problem problem{int(n), y.data(), pointers.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.C = cost;
  parameter.eps = eps;
  parameter.cache_size = 200;
  parameter.shrinking = 1;
  library_text().clear();
  svm_set_print_string_function([](const char* text) { library_text() += text; });
  svm_model* model = svm_train(&problem, &parameter);
  OracleSolution found;
  const std::size_t at = library_text().find("obj = ");
  std::sscanf(library_text().c_str() + at, "obj = %lf, rho = %lf", &found.objective, &found.rho);
  found.vectors = std::size_t(model->l);
  svm_free_and_destroy_model(&model);
  return found;
}

}  // namespace semblance::pairwise::testing
