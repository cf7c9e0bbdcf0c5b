// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "libsvm_oracle_testing.hpp"

namespace semblance::pairs::testing {

using common::testing::OracleSolution;

/// C-SVC with bounds `bounds`, each an integer multiple of the least: a row with the bound m C
/// enters m times, which is the same problem.
inline OracleSolution libsvm_objective(
    std::size_t count, const std::function<double(std::size_t, std::size_t)>& kernel,
    const std::vector<int>& labels, const std::vector<double>& bounds, double cost, double eps) {
  std::vector<std::size_t> rows;
  std::vector<double> y;
  for (std::size_t i = 0; i < count; ++i)
    for (double bound = cost; bound <= bounds[i] * 1.0001; bound += cost) {
      rows.push_back(i);
      y.push_back(labels[i]);
    }
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.C = cost;
  parameter.eps = eps;
  return common::testing::libsvm_solution(
      parameter, std::move(y),
      [&](std::size_t i, std::size_t j) { return kernel(rows[i], rows[j]); });
}

}  // namespace semblance::pairs::testing
