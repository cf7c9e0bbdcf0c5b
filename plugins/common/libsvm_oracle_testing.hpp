// SPDX-License-Identifier: MIT
#pragma once

#include <libsvm/svm.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

/// LIBSVM's solutions for a kernel matrix that the test computes by itself.
namespace semblance::common::testing {

struct OracleSolution {
  double objective = 0;
  double rho = 0;
  std::size_t vectors = 0;
  std::vector<double> coefficients;  ///< one per row, 0 for all but the support vectors

  /// sum_i b_i k(i) - rho
  double value(const std::function<double(std::size_t)>& kernel) const {
    double sum = -rho;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      if (coefficients[i] != 0) sum += coefficients[i] * kernel(i);
    return sum;
  }
};

inline std::string& library_text() {
  static std::string text;
  return text;
}

/// Solves the problem that `parameter` names, with labels or targets y. Coefficients are those of
/// a regression, a one-class machine, or two classes.
inline OracleSolution libsvm_solution(
    svm_parameter parameter, std::vector<double> y,
    const std::function<double(std::size_t, std::size_t)>& kernel) {
  const std::size_t n = y.size();
  std::vector<std::vector<svm_node>> nodes;
  std::vector<svm_node*> pointers(n);
  for (std::size_t i = 0; i < n; ++i) {
    nodes.emplace_back(n + 2);
    nodes[i][0] = {0, double(i + 1)};
    for (std::size_t j = 0; j < n; ++j) nodes[i][j + 1] = {int(j + 1), kernel(i, j)};
    nodes[i][n + 1] = {-1, 0};
    pointers[i] = nodes[i].data();
  }
  svm_problem problem{int(n), y.data(), pointers.data()};
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 200;
  parameter.shrinking = 1;
  library_text().clear();
  svm_set_print_string_function([](const char* text) { library_text() += text; });
  svm_model* model = svm_train(&problem, &parameter);
  OracleSolution found;
  const std::size_t at = library_text().find("obj = ");
  std::sscanf(library_text().c_str() + at, "obj = %lf, rho = %lf", &found.objective, &found.rho);
  found.rho = model->rho[0];
  found.vectors = std::size_t(model->l);
  found.coefficients.assign(n, 0);
  for (int k = 0; k < model->l; ++k)
    found.coefficients[std::size_t(model->sv_indices[k] - 1)] = model->sv_coef[0][k];
  svm_free_and_destroy_model(&model);
  return found;
}

}  // namespace semblance::common::testing
