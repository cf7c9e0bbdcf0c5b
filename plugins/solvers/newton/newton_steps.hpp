// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "newton/conjugate_gradients.hpp"
#include "newton/exact_hessian.hpp"
#include "newton/shared_preconditioner.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

/// Newton steps of all problems. They begin with conjugate gradients in lock-step, which are best
/// where the Hessian is well conditioned. A problem that has spent more on them than its exact
/// Hessian and a factorisation cost goes on with those: then columns of any scale are solved for
/// to the last digit, in a finite number of steps, along a path of costs that ends at C. So about
/// twice the cheaper of the two is spent at most, and the choice depends on counted operations, not
/// on a clock.
class NewtonSteps {
 public:
  /// `allowance`: bytes that all Hessians may take at once, which says how many problems take exact
  /// steps together. `memory`: bytes that preconditioner and Hessians may take. Nothing depends on
  /// that; where what is allowed does not fit, change_to_exact() throws Error.
  NewtonSteps(SquaredHinge& problem, PreconditionerKind kind, std::size_t allowance,
              std::size_t memory, Context& context);

  /// Exact steps for those of the problems that have earned them, as evaluated last. Returns those
  /// that there is no room for beside the others': they are to wait. Collective.
  std::vector<std::size_t> change_to_exact(SquaredHinge::Live live);

  /// Of problems that wait, in their order, those that there is room for once the Hessians of all
  /// but `live` are given up.
  std::vector<std::size_t> resume(std::span<const std::size_t> waiting, SquaredHinge::Live live);

  /// At the point where the problem was evaluated last. False when a stop was requested.
  /// Collective.
  bool solve(const Vectors<double>& gradient, SquaredHinge::Live live,
             const std::vector<CgTarget>& targets);

  const double* step(std::size_t problem) const noexcept { return steps_.row(problem); }
  const Vectors<double>& steps() const noexcept { return steps_; }

  /// How the step was cut; nothing for an exact one.
  const CgStep& result(std::size_t problem) const noexcept { return cg_.results()[problem]; }
  bool exact(std::size_t problem) const noexcept { return hessians_[problem].has_value(); }

  /// Makes the problems, which are at w = 0, begin with a smaller cost where C is so large that the
  /// machine is close to one with hard margins. Collective.
  void begin_path(SquaredHinge::Live live);

  /// To be told how far along their iterative steps the problems went, after all of them did: those
  /// that are on the path go on with a greater cost together. True when they do.
  bool went(SquaredHinge::Live live, std::span<const double> lengths);

  /// To be told how far along its exact step a problem went: it may go on with a greater cost then.
  void went(std::size_t problem, double length);
  std::size_t sweeps() const noexcept { return cg_.sweeps(); }

  /// To be told that the problem has a greater C: exact steps go on along their path to it, the
  /// others get a new preconditioner.
  void change_cost();

  /// Tells how far they have come, and goes on from there. Collective; going on is not.
  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);

  /// Bytes that are held on this rank.
  std::size_t kept_bytes() const;

  /// Bytes that note() takes on this rank besides what there is a row.
  std::size_t note_bytes() const;

 private:
  static std::string hessian_name(std::size_t problem);

  bool allows(std::size_t exact_problems) const;
  std::size_t exact_count() const;
  void make_exact(std::size_t problem);
  std::size_t own_rows() const noexcept { return problem_.own().rows; }
  std::size_t exact_at_once(std::size_t problems) const;
  double first_cost();
  bool solve_exactly(const Vectors<double>& gradient, SquaredHinge::Live live);
  bool update_hessians(SquaredHinge::Live live);

  SquaredHinge& problem_;
  Context& context_;
  std::size_t allowance_;
  std::size_t memory_;
  SharedPreconditioner preconditioner_;
  ConjugateGradients cg_;
  Vectors<double> steps_;
  std::vector<std::optional<ExactHessian>> hessians_;
  double first_cost_ = 0;  // 0: not known yet
  bool on_path_ = false;   // from there to C, by iterative steps
};

}  // namespace semblance::solvers
