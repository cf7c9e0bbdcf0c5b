// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
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
  std::size_t problems() const noexcept { return task_.problems(); }
  /// Whether the problems are those of a regression.
  bool numbers() const noexcept { return task_.regression.problems > 0; }
  double bias() const noexcept { return task_.bias; }
  /// LinearTask::centre
  const Centre& centre() const noexcept { return centre_; }
  /// m.x of a row
  double at_centre(std::size_t row) const noexcept {
    return at_centre_.empty() ? 0 : at_centre_[row];
  }
  double square(std::size_t row) const noexcept { return squares_[row]; }
  /// Whether weights in float neither overflow nor vanish.
  bool fits_float() const noexcept;
  double row_weight(std::size_t row) const noexcept { return task_.row_weight(row); }
  double target(std::size_t row, std::size_t problem) const noexcept {
    return task_.regression.targets[row * problems() + problem];
  }
  /// A row's loss in a problem at the decision value f, without C and the row's weight.
  double loss(std::size_t row, std::size_t problem, double f) const noexcept {
    if (!numbers()) {
      const double lost = std::max(0.0, 1 - sign(row, problem) * f);
      return lost * lost;
    }
    const Regression& regression = task_.regression;
    const double residual = target(row, problem) - f;
    const double lost = std::max(0.0, std::abs(residual) - regression.epsilon);
    if (regression.squared()) return lost * lost;
    const TubeLosses::Caps& slopes = regression.slopes[problem];
    return lost * (residual < 0 ? slopes.above : slopes.below);
  }
  /// The derivative of a squared loss with respect to -f, halved.
  double half_pull(std::size_t row, std::size_t problem, double f) const noexcept {
    if (!numbers()) return sign(row, problem) * std::max(0.0, 1 - sign(row, problem) * f);
    const double residual = target(row, problem) - f;
    const double lost = std::max(0.0, std::abs(residual) - task_.regression.epsilon);
    return residual < 0 ? -lost : lost;
  }
  double sign(std::size_t row, std::size_t problem) const noexcept {
    const std::size_t positive = problems() == 1 ? 1 : problem;
    return static_cast<std::size_t>(task_.training.labels[row]) == positive ? 1 : -1;
  }

  /// 1 / 2Cu, the dual's quadratic term for squared losses; 0 for others.
  double diagonal(double cost, std::size_t row) const noexcept {
    return task_.regression.squared() ? 1 / (2 * cost * row_weight(row)) : 0;
  }

  /// Calls body(row, its entries) for the rows in the given order, or for all in their own; false
  /// if a stop was requested.
  using RowVisit = std::function<void(std::size_t row, const SparseRow& entries)>;
  bool visit(Context& context, std::span<const std::size_t> order, const RowVisit& body) const {
    return for_rows(
        context, order, [](std::size_t) {}, body);
  }
  /// Calls ahead(row) a few rows earlier, to fetch what belongs to the row.
  template <class Ahead, class Body>
  bool for_rows(Context& context, std::span<const std::size_t> order, const Ahead& ahead,
                const Body& body) const;

 private:
  /// Rows on a disk stay in memory until this number has been visited.
  static constexpr std::size_t rows_between_releases = 4096;
  /// Rows that are fetched before they are visited.
  static constexpr std::size_t rows_ahead = 4;

  SparseRow entries(MatrixView rows, std::size_t place, std::size_t row) const noexcept {
    SparseRow found = entries_of(rows, place);
    found.at_centre = at_centre(row);
    return found;
  }

  const LinearTask& task_;
  Centre centre_;
  std::vector<double> at_centre_;  // empty without a centre
  std::vector<double> squares_;    // |x - m|^2, with the appended constant
  bool in_one_piece_;              // the entries of all rows
};

template <class Ahead, class Body>
bool SparseTask::for_rows(Context& context, std::span<const std::size_t> order, const Ahead& ahead,
                          const Body& body) const {
  const Rows& all = task_.training.rows;
  const std::size_t count = order.empty() ? rows() : order.size();
  const auto row_at = [&](std::size_t place) { return order.empty() ? place : order[place]; };
  MatrixView whole;
  for (std::size_t done = 0; done < count; ++done) {
    if (done % block_rows == 0 && context.stop_requested() != StopReason::none) return false;
    if (done % rows_between_releases == 0) {
      if (done > 0) all.release(0, rows());
      if (in_one_piece_) whole = all.view(0, rows());
    }
    const std::size_t row = row_at(done);
    if (!in_one_piece_) {
      body(row, entries(all.view(row, 1), 0, row));
      continue;
    }
    if (done + 2 * rows_ahead < count)
      __builtin_prefetch(whole.offsets + row_at(done + 2 * rows_ahead));
    if (done + rows_ahead < count) {
      const std::size_t next = row_at(done + rows_ahead);
      prefetch(entries_of(whole, next));
      if (!at_centre_.empty()) __builtin_prefetch(&at_centre_[next]);
      ahead(next);
    }
    body(row, entries(whole, row, row));
  }
  all.release(0, rows());
  return true;
}

/// Some interleaved problems: their weights, in precision T during passes, and dual variables.
/// Those of a regression have the sign of the residual.
template <class T>
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
  /// Recomputes the weights from the variables, and both objectives at them, one value per problem,
  /// all in double. False if a stop was requested.
  bool evaluate(double cost, std::vector<Value>& values, Context& context);

  /// The objectives of problem problems()[place] as the rows of the last pass met them, each before
  /// its step. For classes only; the dual objective is lost when the cost changes.
  Value seen(std::size_t place) const noexcept {
    return {duals_[place] + gaps_[place], duals_[place]};
  }
  void change_cost() { duals_.assign(duals_.size(), std::numeric_limits<double>::quiet_NaN()); }

  /// The weights of problem problems()[place] at the last evaluation, the appended constant's last.
  void copy_weights(std::size_t place, double* to) const;
  /// Releases them.
  void forget_evaluation() { evaluated_ = {}; }
  std::vector<double> variables(std::size_t place) const;
  /// Copies variables and weights of a problem from another group.
  void take(std::size_t place, const ProblemGroup& from, std::size_t place_there);

 private:
  /// One step per variable of a row: replaces the decision values f by the changes of its factors.
  void step_hinges(double cost, std::size_t row, T* f);
  void step_tubes(double cost, std::size_t row, T* f);

  const SparseTask& task_;
  std::vector<std::size_t> problems_;
  LaneWeights<T> weights_;
  LaneWeights<double> evaluated_;  // the same after an evaluation
  std::vector<double> variables_;  // rows x lanes
  std::vector<double> gaps_, duals_;
};

/// |gradient| of a problem's primal objective, with squared losses, at its weights, and at 0.
struct GradientNorms {
  double here = 0;
  double at_zero = 0;
};
/// For the problems [first, first + count), at most `most_lanes`. False if a stop was requested.
bool measure_gradients(const SparseTask& task, const Vectors<double>& weights, std::size_t first,
                       std::size_t count, double cost, std::vector<GradientNorms>& norms,
                       Context& context);

}  // namespace semblance::linear
