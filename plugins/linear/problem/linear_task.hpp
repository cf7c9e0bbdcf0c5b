// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "problem/sweep.hpp"
#include "semblance/context.hpp"
#include "semblance/samples.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/losses.hpp"
#include "semblance_numerics/solution.hpp"

namespace semblance::linear {

using numerics::AnyLosses;
using numerics::HingeLosses;
using numerics::TubeLosses;

/// The usual tolerance for (primal - dual) / primal, and the usual limit of iterations per cost.
inline constexpr double default_tolerance = 1e-5;
inline constexpr std::size_t default_iterations = 1000;

/// The targets and the losses of a regression: one problem for each function to learn.
struct Regression {
  std::vector<double> targets = {};     ///< rows x problems
  std::size_t problems = 0;             ///< 0: no regression
  std::vector<std::string> names = {};  ///< of the problems, for reports
  double epsilon = 0;                   ///< errors up to this size are no loss
  /// By problem: the slopes of the loss max(0, |t - f| - epsilon) at estimates f below and above
  /// the target. Empty: the loss is its square.
  std::vector<TubeLosses::Caps> slopes = {};

  bool squared() const noexcept { return slopes.empty(); }
};

/// The data and parameters of a linear SVM, for any regularizer and loss.
struct LinearTask {
  const TrainingSet& training;
  std::vector<double> costs;             ///< increasing, one solution each; the last is C
  std::vector<double> row_weights;       ///< factor of C for each sample; empty: 1
  double bias = 1;                       ///< constant appended to every row; 0: none
  double tolerance = default_tolerance;  ///< for every problem: (primal - dual) / primal
  std::size_t max_iterations = default_iterations;  ///< for each cost
  Regression regression = {};                       ///< if the targets are numbers
  /// Whether train_about_means() subtracts the columns' means from the rows (about_means.hpp).
  bool about_means = false;
  /// For sparse rows: the columns' means that are subtracted from each without changing its
  /// entries; empty: none.
  std::span<const double> centre = {};

  /// The same task on other rows.
  LinearTask on(const TrainingSet& other) const {
    return {other,          costs,      row_weights, bias,  tolerance,
            max_iterations, regression, about_means, centre};
  }
  bool sparse() const noexcept { return training.layout.kind == LayoutKind::sparse; }
  std::size_t classes() const noexcept { return training.classes.size(); }
  /// The number of problems with a weight vector each. Two classes are one problem.
  std::size_t problems() const noexcept {
    if (regression.problems > 0) return regression.problems;
    return classes() == 2 ? 1 : classes();
  }
  /// "class 'x'" or "target 'x'".
  std::string problem_name(std::size_t problem) const;
  /// The squared losses of some problems.
  AnyLosses losses(std::size_t first, std::size_t count) const;
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

using numerics::Outcome;
using numerics::proved;
using numerics::Solution;

/// One solution per cost of a task.
using SolveCosts = std::function<std::vector<Solution>(const LinearTask& task, Context& context)>;

/// The same labels, targets and weights with other rows, without what belongs to the columns.
TrainingSet with_rows(const TrainingSet& training, const Rows& rows, const Layout& layout);

}  // namespace semblance::linear
