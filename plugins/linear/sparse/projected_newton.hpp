// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "problem/linear_task.hpp"
#include "semblance/random.hpp"
#include "sparse/hinge_passes.hpp"
#include "sparse/sparse_products.hpp"
#include "sparse/sparse_task.hpp"

namespace semblance::linear {

struct FreeRows;

/// The dual of one class against the rest on sparse rows, by passes of coordinate descent
/// (hinge_passes.hpp). If C is large, steps of single variables hinder each other, and the gap
/// shrinks slowly. Then Newton steps of the free variables, those above 0, follow the passes:
/// conjugate gradients, and a search along the step with its end projected to the bound (Bertsekas,
/// SIAM J. Control Optim. 20, 1982). A step whose end is far beyond the bounds gains little, so
/// where rows are more than columns, steps are damped (Levenberg and Marquardt): the less, the
/// longer the last steps were.
class ProjectedNewton {
 public:
  /// Products with many rows are distributed over this number of tasks; the bits do not depend on
  /// it.
  ProjectedNewton(const SparseTask& task, std::size_t problem, double cost, std::size_t tasks,
                  Context& context);

  struct Result {
    Outcome outcome;
    std::vector<double> weights;  ///< of the least primal objective; the appended constant's last
    Certificate certificate = Certificate::converged;
    std::size_t passes = 0;
    double rows_read = 0;
    double start_norm = 0;  ///< |gradient| at 0
  };
  /// Calls `body` with the best result after each evaluation.
  void after_evaluations(std::function<void(const Result&)> body) { report_ = std::move(body); }
  /// Starts from these dual variables, and changes them.
  Result solve(std::vector<double>& variables);

  /// Bytes that it needs.
  static std::size_t bytes(std::size_t rows, std::size_t dimension) noexcept;

 private:
  using Weights = SparseProducts::Weights;

  double tolerance() const noexcept { return task_.task().tolerance; }
  std::size_t most_passes() const noexcept;

  void start(std::vector<double>& variables);
  bool open() const;
  Result end(std::vector<double>& variables, bool complete);

  // These return false if a stop was requested.
  bool evaluate();
  bool find_gradient(const std::vector<double>& weights, double& norm);
  bool descend();
  bool newton_step();
  bool search(const FreeRows& free, const std::vector<double>& step);

  /// Whether descent alone would take long, by the decrease of the gap in the last passes.
  bool slow() const;
  double dual_objective(const std::vector<double>& variables, const Weights& w) const;
  double primal_objective() const;
  void accept(double primal);

  const SparseTask& task_;
  std::size_t problem_;
  double cost_;
  Context& context_;
  SparseProducts products_;
  std::vector<std::size_t> rows_;  // those with a weight
  Random random_{1};
  HingePasses passes_;
  std::vector<double> alpha_;
  Weights w_;
  std::vector<double> scores_;  // w . x of rows_, at the last evaluation
  double mean_square_ = 0;      // of the rows' lengths
  bool by_columns_ = false;     // steps, where rows are more than columns
  double damping_ = 0;
  double dual_ = 0;           // without the rounding errors since the last evaluation
  std::vector<double> gaps_;  // of the last passes
  Result result_;
  std::function<void(const Result&)> report_;
};

}  // namespace semblance::linear
