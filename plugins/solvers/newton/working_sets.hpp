// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linear/solution.hpp"
#include "newton/active_gram.hpp"
#include "newton/squared_hinge.hpp"

namespace semblance::solvers {

/// How far a column is from its optimality condition for |w|_1 + losses, given the slope of the
/// losses.
double violation(double w, double slope);

/// What notes call something of one of the problems.
std::string note_name(const char* what, std::size_t problem);

/// The columns that l1-regularized problems work on, a set each, and the generalized Hessian of a
/// problem's active rows and these columns. The set has the columns in use and those that violate
/// their optimality condition most, at most as many again.
class WorkingSets {
 public:
  /// `memory`: bytes for all of them, and for the steps that use them.
  WorkingSets(SquaredHinge& problem, std::size_t memory, Context& context);

  /// Keeps the set of problem c as long as it has all columns that are used or violate their
  /// condition by a tenth of the worst violation. Thread-safe for different problems.
  void choose(std::size_t c, const Vectors<double>& w, const Vectors<double>& slope, double worst);

  /// How many of `live` quadratic problems there is room to solve side by side, with the Hessians
  /// of all problems kept; throws Error where there is none.
  std::size_t steps_at_once(std::size_t live) const;

  /// Brings the Hessian up to date. False when a stop was requested. Thread-safe for different
  /// problems.
  bool update(std::size_t c) { return current(c).update(problem_.active_rows(c), context_); }
  /// The same of several: rows must go from rank to rank for it, which needs all ranks at once.
  bool update_together(const std::vector<std::size_t>& problems);

  const ActiveGram& gram(std::size_t c) const { return *grams_[c]; }
  /// Columns of the largest set.
  std::size_t widest() const noexcept;

  void note(Notes& notes) const;
  void go_on(const NotesReader& kept);
  std::size_t bytes() const;
  std::size_t bytes_of_notes() const;

 private:
  std::size_t most_columns() const;
  ActiveGram& current(std::size_t c);

  SquaredHinge& problem_;
  Context& context_;
  std::size_t n_;
  std::size_t d_;
  std::size_t memory_;
  std::size_t most_columns_;  // of a set
  std::vector<std::optional<ActiveGram>> grams_;
  std::vector<std::optional<std::vector<std::size_t>>> changed_;  // sets to change to
};

}  // namespace semblance::solvers
