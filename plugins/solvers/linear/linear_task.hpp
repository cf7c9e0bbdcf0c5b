// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::solvers {

/// What a linear SVM is trained on and with, whatever its regularizer and loss.
struct LinearTask {
  const TrainingSet& training;
  std::vector<double> costs;          ///< increasing; the last is C, a solution is asked for each
  std::vector<double> row_weights;    ///< C is multiplied with it for each row; empty: 1
  double bias = 1;                    ///< constant appended to every row; 0: none
  double tolerance = 1e-5;            ///< of every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;  ///< for each cost

  bool sparse() const noexcept { return training.layout.kind == LayoutKind::sparse; }
  std::size_t classes() const noexcept { return training.classes.size(); }
  double row_weight(std::size_t row) const noexcept {
    return row_weights.empty() ? 1 : row_weights[row];
  }
  /// C of the row that counts most.
  double largest_cost() const noexcept {
    return costs.back() *
           (row_weights.empty() ? 1 : *std::max_element(row_weights.begin(), row_weights.end()));
  }
  std::size_t dimension() const noexcept { return training.rows.cols() + (bias != 0 ? 1 : 0); }
};

}  // namespace semblance::solvers
