// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance_numerics/padded_vectors.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {

using numerics::Vectors;

/// Sparse training samples, with the data that all problems need.
class SparseTask {
 public:
  SparseTask(const LinearTask& task, Context& context);

  const LinearTask& task() const noexcept { return task_; }
  std::size_t rows() const noexcept { return task_.training.rows.rows(); }
  std::size_t cols() const noexcept { return task_.training.rows.cols(); }
  std::size_t problems() const noexcept { return task_.classes() == 2 ? 1 : task_.classes(); }
  double bias() const noexcept { return task_.bias; }
  double square(std::size_t row) const noexcept { return squares_[row]; }
  double row_weight(std::size_t row) const noexcept { return task_.row_weight(row); }
  double total_weight() const noexcept { return total_weight_; }
  double sign(std::size_t row, std::size_t problem) const noexcept {
    const std::size_t positive = problems() == 1 ? 1 : problem;
    return static_cast<std::size_t>(task_.training.labels[row]) == positive ? 1 : -1;
  }

  /// Calls body(row, its entries) for the rows in the given order, or in their own; false if a stop
  /// was requested.
  using RowVisit = std::function<void(std::size_t row, const SparseRow& entries)>;
  bool visit(Context& context, std::span<const std::size_t> order, const RowVisit& body) const;

 private:
  const LinearTask& task_;
  std::vector<double> squares_;  // |x|^2, with the appended constant
  double total_weight_ = 0;
};

/// Some interleaved problems: their weights and dual variables.
class ProblemGroup {
 public:
  /// Starts with all variables 0.
  ProblemGroup(const SparseTask& task, std::vector<std::size_t> problems);

  const std::vector<std::size_t>& problems() const noexcept { return problems_; }

  /// Makes one step per variable, with the rows in this order. False if a stop was requested.
  bool pass(double cost, std::span<const std::size_t> order, Context& context);

  struct Value {
    double primal = 0;
    double dual = 0;
  };
  /// Recomputes the weights from the variables, and both objectives at them, one value per problem.
  /// False if a stop was requested.
  bool evaluate(double cost, std::vector<Value>& values, Context& context);

  /// The weights of problem problems()[place], the appended constant's last.
  void copy_weights(std::size_t place, double* to) const;
  /// Copies variables and weights of a problem from another group.
  void take(std::size_t place, const ProblemGroup& from, std::size_t place_there);

 private:
  const SparseTask& task_;
  std::vector<std::size_t> problems_;
  LaneWeights weights_;
  std::vector<double> variables_;  // rows x lanes: alpha
};

/// |gradient| of a problem's primal objective at its weights, and at 0.
struct GradientNorms {
  double here = 0;
  double at_zero = 0;
};
/// For the problems [first, first + count), at most `most_lanes`. False if a stop was requested.
bool measure_gradients(const SparseTask& task, const Vectors<double>& weights, std::size_t first,
                       std::size_t count, double cost, std::vector<GradientNorms>& norms,
                       Context& context);

}  // namespace semblance::linear
