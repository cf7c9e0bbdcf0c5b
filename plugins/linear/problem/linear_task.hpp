// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "semblance/samples.hpp"

namespace semblance::linear {

/// The data and parameters of a linear SVM, for any regularizer and loss.
struct LinearTask {
  const TrainingSet& training;
  std::vector<double> costs;          ///< increasing, one solution each; the last is C
  std::vector<double> row_weights;    ///< factor of C for each sample; empty: 1
  double bias = 1;                    ///< constant appended to every row; 0: none
  double tolerance = 0;               ///< for every problem: (primal - dual) / primal
  std::size_t max_iterations = 1000;  ///< for each cost

  bool sparse() const noexcept { return training.layout.kind == LayoutKind::sparse; }
  std::size_t classes() const noexcept { return training.classes.size(); }
  double row_weight(std::size_t row) const noexcept {
    return row_weights.empty() ? 1 : row_weights[row];
  }
  /// C of the sample with the largest weight.
  double largest_cost() const noexcept {
    return costs.back() *
           (row_weights.empty() ? 1 : *std::max_element(row_weights.begin(), row_weights.end()));
  }
  std::size_t dimension() const noexcept { return training.rows.cols() + (bias != 0 ? 1 : 0); }
};

}  // namespace semblance::linear
