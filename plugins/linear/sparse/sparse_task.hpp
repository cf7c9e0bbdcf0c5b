// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "problem/linear_task.hpp"
#include "sparse/lanes.hpp"

namespace semblance::linear {

/// Sparse training samples of classes, with the data that all problems need.
class SparseTask {
 public:
  SparseTask(const LinearTask& task, Context& context);

  const LinearTask& task() const noexcept { return task_; }
  std::size_t rows() const noexcept { return task_.training.rows.rows(); }
  std::size_t cols() const noexcept { return task_.training.rows.cols(); }
  std::size_t problems() const noexcept { return task_.problems(); }
  double bias() const noexcept { return task_.bias; }
  /// LinearTask::centre
  const Centre& centre() const noexcept { return centre_; }
  /// m.x of a row
  double at_centre(std::size_t row) const noexcept {
    return at_centre_.empty() ? 0 : at_centre_[row];
  }
  double square(std::size_t row) const noexcept { return squares_[row]; }
  double row_weight(std::size_t row) const noexcept { return task_.row_weight(row); }
  /// A row's loss in a problem at the decision value f, without C and the row's weight.
  double loss(std::size_t row, std::size_t problem, double f) const noexcept {
    const double lost = std::max(0.0, 1 - sign(row, problem) * f);
    return lost * lost;
  }
  double sign(std::size_t row, std::size_t problem) const noexcept {
    const std::size_t positive = problems() == 1 ? 1 : problem;
    return static_cast<std::size_t>(task_.training.labels[row]) == positive ? 1 : -1;
  }

  /// 1 / 2Cu, the dual's quadratic term.
  double diagonal(double cost, std::size_t row) const noexcept {
    return 1 / (2 * cost * row_weight(row));
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

}  // namespace semblance::linear
