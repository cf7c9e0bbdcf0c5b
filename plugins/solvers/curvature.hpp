// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "preconditioner.hpp"
#include "squared_hinge.hpp"

namespace semblance::solvers {

enum class PreconditionerKind { automatic, cholesky, diagonal };

/// Keeps the preconditioners of all problems: a shared one from a sample of the rows, and for a
/// problem that has spent more on conjugate gradients than one of its own costs, one from its own
/// active rows. So never much more than twice the cheaper of the two is spent, and decisions depend
/// on counted operations, not on a clock.
class Curvature {
 public:
  /// `memory`: bytes that all preconditioners may take.
  Curvature(SquaredHinge& problem, PreconditionerKind kind, std::size_t memory, Context& context);

  /// Called where the problem was evaluated last. False when a stop was requested.
  bool update(SquaredHinge::Live live);

  /// Notes a Hessian product of a problem.
  void spend(std::size_t problem) { spent_[problem] += product_cost_; }

  void apply(const Vectors<double>& r, SquaredHinge::Live live, Vectors<double>& out) const;

 private:
  bool build_shared(SquaredHinge::Live live);
  bool build_own(std::size_t problem, const std::vector<float>& shares);
  bool fits() const;

  SquaredHinge& problem_;
  Context& context_;
  std::size_t memory_;
  bool cholesky_;
  double product_cost_;
  std::vector<double> spent_;
  std::unique_ptr<Preconditioner> shared_;
  std::vector<float> all_rows_;  // the Hessian with all rows active, lower triangle
  std::vector<std::unique_ptr<Preconditioner>> own_;
};

}  // namespace semblance::solvers
