// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "newton/exact_hessian.hpp"
#include "problem/linear_task.hpp"
#include "problem/sweep.hpp"
#include "semblance_numerics/squared_losses.hpp"

namespace semblance::linear {

/// 1, 0 or -1.
inline double sign_of(double x) { return static_cast<double>((x > 0) - (x < 0)); }

/// min_v slope.(v - w) + 1/2 (v - w)^T H (v - w) + |v|_1: the local model of an l1-regularized
/// problem at w. H is positive semi-definite.
struct L1Quadratic {
  const Vectors<double>& gram;  ///< lower triangle; H = factor gram
  double factor = 1;
  std::vector<double> slope;
  std::vector<double> w;
};

/// Solves it until no entry violates its optimality condition (|slope of v| <= 1 where v is 0, else
/// slope = -sign) by more than `tolerance`: passes of coordinate descent find the nonzero entries,
/// then Newton steps in their subspace follow, each with an exact line search. False if a stop was
/// requested; v is then the last point, which is no worse than w.
bool minimise(const L1Quadratic& problem, double tolerance, std::vector<double>& v,
              Context& context);

/// The bytes it needs for this number of entries.
std::size_t l1_quadratic_bytes(std::size_t entries) noexcept;

/// The violation of a column's optimality condition for |w|_1 + losses, given the slope of the
/// losses.
double violation(double w, double slope);

/// The working sets of columns of l1-regularized problems, one per problem, with the generalized
/// Hessian of the problem's active rows and these columns. A set has the columns in use and at most
/// the same number of other columns, those that violate their optimality condition most.
class WorkingSets {
 public:
  /// `memory`: limit in bytes for all sets and the steps that use them.
  WorkingSets(const LinearTask& task, const numerics::SquaredLosses& losses, std::size_t memory,
              Context& context);

  /// Chooses the set of problem c. Reuses the present set if it has all columns that are in use or
  /// violate their condition by a tenth of the worst violation. Thread-safe for different problems.
  void choose(std::size_t c, const Vectors<double>& w, const Vectors<double>& slope, double worst);

  /// The number of quadratic problems that fit into memory at once, with the Hessians of all
  /// problems; throws Error if none fits.
  std::size_t steps_at_once() const;

  /// Updates the Hessian. False if a stop was requested. Thread-safe for different problems; on
  /// several ranks collective.
  bool update(std::size_t c) { return current(c).update(losses_.active_samples(c), context_); }

  const ColumnGram& gram(std::size_t c) const { return *grams_[c]; }
  /// The number of columns of the largest set.
  std::size_t widest() const noexcept;

 private:
  std::size_t most_columns() const;
  ColumnGram& current(std::size_t c);

  const LinearTask& task_;
  const numerics::SquaredLosses& losses_;
  Context& context_;
  std::size_t n_;
  std::size_t d_;
  std::size_t memory_;
  std::size_t most_columns_;  // of a set
  std::vector<std::optional<ColumnGram>> grams_;
  std::vector<std::optional<std::vector<std::size_t>>> changed_;  // sets to change to
};

}  // namespace semblance::linear
