// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "newton/exact_hessian.hpp"
#include "newton/shared_preconditioner.hpp"
#include "problem/linear_task.hpp"
#include "problem/sweep.hpp"
#include "semblance_numerics/newton.hpp"

namespace semblance::linear {

/// The functions w.x_i of a task's rows, with its bias appended to them, by sweeps over the rows;
/// dense or, on one rank, sparse. The task must outlive it.
class RowFunctions : public numerics::NewtonOperator {
 public:
  RowFunctions(const LinearTask& task, std::size_t problems, Context& context);

  std::size_t dimension() const override { return task_.dimension(); }
  bool multiply(const Vectors<double>& v, Live live, std::span<double> f) override;
  bool transpose(std::span<const double> z, Live live, Vectors<double>& out) override;
  bool curve(const Vectors<double>& v, Live live, std::span<const float> curvatures,
             std::span<const double> shifts, Vectors<double>& out) override;
  double squared_length() override;

 protected:
  const LinearTask& task() const noexcept { return task_; }
  std::size_t problems() const noexcept { return problems_; }
  Context& context() const noexcept { return context_; }
  bool on_gpu() const noexcept { return on_gpu_ != nullptr; }
  std::size_t place(std::size_t row, std::size_t problem) const noexcept {
    return (row - first_row_) * problems_ + problem;
  }

 private:
  template <class T>
  bool sweep(Sweep<T> sweep) const;
  template <class T>
  Vectors<T> gather(const Vectors<double>& from, Live live) const;
  void scatter(const Vectors<double>& sums, std::span<const double> totals, Live live,
               Vectors<double>& out) const;

  const LinearTask& task_;
  std::size_t problems_;
  Context& context_;
  std::size_t first_row_;                          // of the own rows
  std::shared_ptr<const gpu::TallMatrix> on_gpu_;  // the rows; null: the CPU sweeps
};

/// The same with what Newton steps need: one preconditioner for all problems, and exact Hessians.
/// A problem that has spent more on conjugate gradients than its exact Hessian and a factorization
/// cost continues with exact steps, which solve for columns of any scale to the last digit: so the
/// total is at most about twice that of the cheaper way, by operation counts, not by a clock. Few
/// rows of many columns, and small problems, take exact steps from the start.
///
/// With at most half as many rows as columns, exact steps need the products K = A A^T of all rows,
/// computed once for all problems: H^-1 = I - A^T (K + D)^-1 A over a problem's active rows, with
/// 1 / (2c u_i) in D (Woodbury). Else each problem has the products of columns.
class RowSteps final : public RowFunctions {
 public:
  /// `memory`: limit in bytes of preconditioner and Hessians, which does not affect results.
  /// `allowance`: of the Hessians that are stored from step to step, which does; the others are
  /// computed anew for each step.
  RowSteps(const LinearTask& task, std::size_t problems, std::size_t memory, std::size_t allowance,
           Context& context);

  bool prepare(const numerics::SquaredLosses& losses, Live live, std::size_t products) override {
    return preconditioner_->prepare(losses, live, products);
  }
  void precondition(const Vectors<double>& r, Live live, Vectors<double>& out) const override {
    preconditioner_->apply(r, live, out);
  }
  void cost_changed() override {
    if (preconditioner_) preconditioner_->reset();
  }
  bool may_be_exact() const override;
  bool worth_exact(std::size_t products, double active) const override;
  bool solve(const numerics::SquaredLosses& losses, const Vectors<double>& gradient, Live live,
             Vectors<double>& steps) override;

 private:
  std::size_t at_once(std::size_t scratch) const;
  bool solve_by_columns(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                        Live live, Vectors<double>& steps);
  bool solve_by_rows(const numerics::SquaredLosses& losses, const Vectors<double>& gradient,
                     Live live, Vectors<double>& steps);

  std::size_t memory_, allowance_;
  bool by_rows_, few_rows_;
  std::optional<SharedPreconditioner> preconditioner_;  // none for few rows
  std::vector<std::optional<ColumnGram>> hessians_;
  Vectors<double> products_;  // K, once it is needed
};

/// Newton's method (semblance_numerics/newton.hpp) for `count` problems of the task from `first`
/// on, one solution per cost of the task. `held`: bytes of the memory budget in use by the caller.
/// Throws Error with what to do if the budget is too small. Collective.
std::vector<Solution> minimise(const LinearTask& task, std::size_t first, std::size_t count,
                               const numerics::NewtonOptions& options, std::size_t held,
                               Context& context, const numerics::StartAt& start_at = {});

/// The samples' side of these problems.
numerics::SquaredLosses::Data losses_of(const LinearTask& task, std::size_t first,
                                        std::size_t count);

}  // namespace semblance::linear
