// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "newton/conjugate_gradients.hpp"
#include "newton/exact_hessian.hpp"
#include "newton/squared_losses.hpp"

namespace semblance::linear {

/// Newton steps of all problems. They start with conjugate gradients in lock-step, which are best
/// for a well-conditioned Hessian. A problem that has spent more on them than the cost of its exact
/// Hessian and a factorisation continues with exact steps. These solve for columns of any scale to
/// the last digit, in a finite number of steps, along a path of costs that ends at C. So the total
/// cost is at most about twice that of the cheaper method, and the choice depends on operation
/// counts, not on a clock.
class NewtonSteps {
 public:
  /// `allowance`: limit in bytes of all Hessians, which determines the number of problems with
  /// exact steps at once. `memory`: limit in bytes of preconditioner and Hessians, which does not
  /// affect results; if the allowance does not fit, change_to_exact() throws Error.
  /// `along_path`: whether exact steps start with a smaller cost.
  NewtonSteps(SquaredLosses& problem, PreconditionerKind kind, std::size_t allowance,
              std::size_t memory, bool along_path, Context& context);

  /// Changes problems to exact steps if these have become worthwhile, at the last evaluated point.
  /// Returns the problems that must wait because memory is insufficient. Collective.
  std::vector<std::size_t> change_to_exact(SquaredLosses::Live live);

  /// The waiting problems, in their order, that fit into memory after the Hessians of all but
  /// `live` are released.
  std::vector<std::size_t> resume(std::span<const std::size_t> waiting, SquaredLosses::Live live);

  /// Computes the steps at the last evaluated point. False if a stop was requested. Collective.
  bool solve(const Vectors<double>& gradient, SquaredLosses::Live live,
             const std::vector<CgTarget>& targets);

  const double* step(std::size_t problem) const noexcept { return steps_.row(problem); }
  const Vectors<double>& steps() const noexcept { return steps_; }

  /// The truncation of the step; none for an exact one.
  const CgStep& result(std::size_t problem) const noexcept { return cg_.results()[problem]; }
  bool exact(std::size_t problem) const noexcept { return hessians_[problem].has_value(); }

  /// Makes the problems, which are at w = 0, start with a smaller cost if C is so large that the
  /// machine is close to one with hard margins. Collective.
  void begin_stiff(SquaredLosses::Live live);

  /// After all problems have moved by `lengths` times their iterative steps: Problems on the path
  /// then continue with a larger cost together; returns whether they do.
  bool follow_path(SquaredLosses::Live live, std::span<const double> lengths);

  /// Takes the length of a problem's exact step; the problem may then continue with a larger cost.
  void follow_path(std::size_t problem, double length);

  /// Sweeps over the rows to compute steps, so far.
  std::size_t sweeps() const noexcept { return cg_.sweeps(); }

  /// Call it after C has increased: exact steps continue along their path to it, iterative ones get
  /// a new preconditioner.
  void change_cost();

  /// The bytes in use on this rank.
  std::size_t retained_bytes() const;

 private:
  bool allows(std::size_t exact_problems) const;
  std::size_t exact_count() const;
  void make_exact(std::size_t problem);
  std::size_t own_rows() const noexcept { return problem_.own().rows; }
  std::size_t exact_at_once(std::size_t problems) const;
  double first_cost();
  void begin_path(std::size_t problem);
  bool solve_exactly(const Vectors<double>& gradient, SquaredLosses::Live live);
  bool update_hessians(SquaredLosses::Live live);

  SquaredLosses& problem_;
  Context& context_;
  std::size_t allowance_;
  std::size_t memory_;
  bool along_path_;
  SharedPreconditioner preconditioner_;
  ConjugateGradients cg_;
  Vectors<double> steps_;
  std::vector<std::optional<ExactHessian>> hessians_;
  double first_cost_ = 0;  // 0: unknown
  bool on_path_ = false;   // from first_cost_ to C, by iterative steps
};

}  // namespace semblance::linear
