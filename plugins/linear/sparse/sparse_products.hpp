// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sparse/sparse_task.hpp"

namespace semblance::linear {

/// Products of some of the training's sparse rows with weights of one problem, and weighted sums of
/// these rows; rows are those about the task's centre. They are distributed over a number of tasks;
/// the bits do not depend on it.
///
/// `false` means that a stop was requested.
class SparseProducts {
 public:
  using Weights = LaneWeights;

  SparseProducts(const SparseTask& task, std::size_t tasks, Context& context);

  /// Weights of 0.
  Weights zero() const { return {task_.cols(), task_.bias(), 1}; }

  /// out[k] = w . x of these rows.
  bool multiply(std::span<const std::size_t> rows, const Weights& w, std::vector<double>& out);
  /// out += sum of factors[k] x over these rows.
  bool add_rows(std::span<const std::size_t> rows, const std::vector<double>& factors,
                Weights& out);
  /// out += sum of factors[k] (w . x) x over these rows.
  bool add_gram_product(std::span<const std::size_t> rows, const std::vector<double>& factors,
                        const Weights& w, Weights& out);
  /// out += sum of factors[k] x^2, by columns: the diagonal of the matrix that add_gram_product()
  /// multiplies with.
  bool add_gram_diagonal(std::span<const std::size_t> rows, const std::vector<double>& factors,
                         Weights& out);

  /// Since the last reset. A sum or a product alone counts half.
  double rows_read() const noexcept { return rows_read_; }
  void reset_rows_read() noexcept { rows_read_ = 0; }

 private:
  using Visit = std::function<void(std::size_t k, const SparseRow& entries)>;
  /// Calls body for the rows in order.
  bool visit(std::span<const std::size_t> rows, const Visit& body) const;
  double at_centre(const Weights& w) const;
  void subtract_centre(double factor, Weights& w) const;

  const SparseTask& task_;
  Context& context_;
  std::vector<std::size_t> bounds_;  // of the columns of each task
  double rows_read_ = 0;
};

double squared_norm(const LaneWeights& w);

}  // namespace semblance::linear
